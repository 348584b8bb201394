"""What scripts that change sources share."""
import re

WORDS = set("""if else for while do return break continue int char long short unsigned signed bool size_t void const static struct enum union
typedef sizeof switch case default let mut fn pub impl use mod match self Self true false NULL nullptr auto namespace using class public private std
string vector as in loop where trait type move ref dyn crate super Some None Ok Err double float uint8_t uint16_t uint32_t uint64_t int64_t int32_t
int16_t int8_t usize isize u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 str String Vec Option Result inline template typename new delete this throw operator
constexpr override virtual explicit noexcept""".split())
OPERATORS = {
    '+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<': '<= > >=', '<=': '< >= ==', '>': '>= <', '>=': '> <= ==', '==': '!= <= >=', '!=': '==',
    '&&': '||', '||': '&&', '+=': '-=', '-=': '+=', '*=': '+=', '/=': '*=', '&': '|', '|': '&', '<<': '>>', '>>': '<<', '^': '|', '|=': '&=', '&=': '|=',
}


def masked(text):
    """A text without comments, literals and directives, as long as it was."""
    hidden = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*'
    return re.sub(hidden, lambda match: re.sub(r'[^\n]', ' ', match.group()), text, flags=re.S | re.M)


def sites(text, rust):
    """What can be changed, by kind: where it begins and ends, and what stands there instead."""
    code = masked(text)
    found = {'operator': [], 'constant': [], 'delete': [], 'variable': []}
    operators = r'(?<=\s)(\+|-|\*|/|%|<=|>=|<|>|==|!=|&&|\|\||\+=|-=|\*=|/=|&|\||<<|>>|\^|\|=|&=)(?=\s)'
    for match in re.finditer(operators, code):
        found['operator'] += [(match.start(), match.end(), new) for new in OPERATORS[match.group()].split()]
    for match in re.finditer(r'(\+\+|--)(?=\s*[;)])|(?<=[\s(])(\+\+|--)(?=\w)', code):
        found['operator'].append((match.start(), match.end(), '--' if match.group() == '++' else '++'))
    for match in re.finditer(r'(?<=\.\.)=?(?=\d|\w)', code) if rust else ():
        found['operator'].append((match.start(), match.end(), '' if match.group() else '='))
    for match in re.finditer(r'(?<![\w.])\d+(?![\w.]|\.\d)', code):
        number = int(match.group())
        found['constant'] += [(match.start(), match.end(), str(new)) for new in {number + 1, max(number - 1, 0)} - {number}]
    for match in re.finditer(r'^[ \t]+([^\s;{}][^;{}\n]*;)[ \t]*$', code, re.M):
        keyword = re.match(r'(return|let|use|pub|struct|enum|typedef|using|#|const|static|type|mod)\b', match.group(1))
        declaration = r'(unsigned |const |struct |std::)?[A-Za-z_][\w:<>,]*[ *&]+[A-Za-z_]\w*(\s*[=;\[(]|{)'
        if not keyword and not re.match(declaration, match.group(1)):
            found['delete'].append((match.start(1), match.end(1), ''))
    tops = [0] + [match.start() for match in re.finditer(r'^(?:\s*(?:pub )?fn |\S)', code, re.M)] + [len(code)]
    names = [name for name in re.finditer(r'(?<![\w.:>\'!])[a-z_]\w*(?!\w|\s*\(|!|::)', code) if name.group() not in WORDS]
    for name in names:
        begin = max(top for top in tops if top <= name.start())
        end = min(top for top in tops if top > name.start())
        others = {other.group() for other in names if begin <= other.start() < end} - {name.group()}
        found['variable'] += [(name.start(), name.end(), other) for other in sorted(others)]
    return found

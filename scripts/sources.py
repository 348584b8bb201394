"""What scripts that change sources share."""
import re


def masked(text):
    """A text without comments, literals and directives, as long as it was."""
    hidden = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*'
    return re.sub(hidden, lambda match: re.sub(r'[^\n]', ' ', match.group()), text, flags=re.S | re.M)

use xmlparser::{Token, Tokenizer};

/// The kinds of a document's tokens, a letter each; `!` is an error.
pub fn kinds(text: &str) -> String {
    let kind = |token: Result<Token, xmlparser::Error>| match token {
        Ok(Token::Declaration { .. }) => 'x',
        Ok(Token::ProcessingInstruction { .. }) => 'p',
        Ok(Token::Comment { .. }) => 'c',
        Ok(Token::DtdStart { .. }) => 'd',
        Ok(Token::EmptyDtd { .. }) => 'e',
        Ok(Token::EntityDeclaration { .. }) => 'n',
        Ok(Token::DtdEnd { .. }) => 'D',
        Ok(Token::ElementStart { .. }) => '<',
        Ok(Token::Attribute { .. }) => '=',
        Ok(Token::ElementEnd { .. }) => '>',
        Ok(Token::Text { .. }) => 't',
        Ok(Token::Cdata { .. }) => 'T',
        Err(_) => '!',
    };
    Tokenizer::from(text).map(kind).collect()
}

//! A session: what may be read depends on who has logged in.

pub struct Session {
    user: Option<String>,
    reads: u32,
}

#[derive(Debug)]
pub enum Refused {
    Unknown,
    LoggedIn,
    LoggedOut,
}

impl Session {
    pub fn new() -> Self {
        Session { user: None, reads: 0 }
    }

    pub fn login(&mut self, user: &str) -> Result<(), Refused> {
        if self.user.is_some() {
            return Err(Refused::LoggedIn);
        }
        if user.is_empty() {
            return Err(Refused::Unknown);
        }
        self.user = Some(user.to_owned());
        Ok(())
    }

    pub fn read(&mut self, key: u32) -> Result<u32, Refused> {
        if self.user.is_none() {
            return Err(Refused::LoggedOut);
        }
        self.reads += 1;
        Ok(key + 1)
    }

    pub fn logout(&mut self) -> Result<(), Refused> {
        match self.user.take() {
            Some(_) => Ok(()),
            None => Err(Refused::LoggedOut),
        }
    }

    pub fn rename(&mut self, user: &str) {
        assert!(self.user.is_some(), "nobody has logged in");
        self.user = Some(user.to_owned());
    }
}

/// No test comes here.
fn uses() {
    let mut session = Session::new();
    let _ = session.login("ada");
    let _ = session.read(1);
    let mut other = Session::new();
    let _ = other.read(2); // wrong
}

fn main() {
    if std::env::args().len() > 9 {
        uses();
    }
    let mut session = Session::new();
    for word in std::env::args().skip(1) {
        if session.login(&word).is_err() {
            println!("{word} is refused");
            break;
        }
        session.rename("somebody");
        println!("{}", session.read(word.len() as u32).unwrap_or(0));
        if session.logout().is_err() {
            println!("nobody was there");
        }
    }
}

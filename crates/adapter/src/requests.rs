//! Every request of the protocol (version 1.71), and ours: what becomes of it.

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is answered.
    Answered,
    /// It is refused, since.
    Refused(&'static str),
}

/// A request by its command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// Its command.
    pub command: &'static str,
    /// What becomes of it.
    pub answer: Answer,
}

const NEVER_CHANGED: &str = "a recorded run cannot be changed";
const NO_MACHINE_CODE: &str = "a recording is replayed from the program's own intermediate code, not from machine code";

const fn answered(command: &'static str) -> Request {
    Request { command, answer: Answer::Answered }
}

const fn refused(command: &'static str, why: &'static str) -> Request {
    Request { command, answer: Answer::Refused(why) }
}

/// All of them: those of the protocol by name, then ours.
pub const REQUESTS: &[Request] = &[
    answered("attach"),
    answered("breakpointLocations"),
    answered("cancel"),
    answered("completions"),
    answered("configurationDone"),
    answered("continue"),
    answered("dataBreakpointInfo"),
    refused("disassemble", NO_MACHINE_CODE),
    answered("disconnect"),
    answered("evaluate"),
    answered("exceptionInfo"),
    answered("goto"),
    answered("gotoTargets"),
    answered("initialize"),
    answered("launch"),
    answered("loadedSources"),
    refused("locations", "values have no locations beside their variables"),
    refused("modules", "the parts of a program are told by `loadedSources`"),
    answered("next"),
    answered("pause"),
    refused("readMemory", "memory is read by expressions"),
    answered("restart"),
    refused("restartFrame", NEVER_CHANGED),
    answered("reverseContinue"),
    answered("scopes"),
    answered("setBreakpoints"),
    answered("setDataBreakpoints"),
    answered("setExceptionBreakpoints"),
    refused("setExpression", NEVER_CHANGED),
    answered("setFunctionBreakpoints"),
    refused("setInstructionBreakpoints", NO_MACHINE_CODE),
    refused("setVariable", NEVER_CHANGED),
    answered("source"),
    answered("stackTrace"),
    answered("stepBack"),
    answered("stepIn"),
    answered("stepInTargets"),
    answered("stepOut"),
    answered("terminate"),
    refused("terminateThreads", NEVER_CHANGED),
    answered("threads"),
    answered("variables"),
    refused("writeMemory", NEVER_CHANGED),
    answered("whydunit/stepBackIn"),
    answered("whydunit/stepBackOver"),
    answered("whydunit/stepBackOut"),
    answered("whydunit/why"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_stands_once_and_those_of_the_protocol_by_name() {
        let (own, protocol): (Vec<_>, Vec<_>) =
            REQUESTS.iter().map(|request| request.command).partition(|command| command.starts_with("whydunit/"));
        assert!(protocol.is_sorted_by(|a, b| a < b), "{protocol:?}");
        assert_eq!(own.len() + protocol.len(), REQUESTS.len());
    }
}

//! Calls of a failing run that find their objects otherwise than the calls of passing runs do (Dallmeier, "Mining and Checking Object
//! Behavior", 8.2 to 8.4).
//!
//! A [`Collector`] reads the events of a test and keeps, for each method, what its calls found: the values of the fields of the object
//! that it is called on and of those that it is given, how two numbers of one object compare, and which of that the method reads.
//! [`Calls`] of several tests are [put together](Calls::add); what all calls of passing tests have found is a precondition.
//! [`anomalies`] are the calls of the failing test that do not find it.
//!
//! Invariants
//! - A precondition is of at least [`LEAST_CALLS`] calls in [`LEAST_TESTS`] tests, and of what the method reads.
//! - What is said of a call was seen: each count is of calls, with an example.
//!
//! Boundary: the stream of events alone. Nothing of recordings, compilers or languages.

mod calls;
mod collector;
mod judge;
mod paths;

pub use calls::{Calls, MethodCalls, Tally, Values};
pub use collector::{Collector, FailingRun, Found, FoundCall};
pub use judge::{Anomaly, Expected, Fact, LEAST_CALLS, LEAST_TESTS, Relevant, Saying, anomalies, relevant};

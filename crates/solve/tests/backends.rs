//! Every backend conforms.

mod conformance;

use whydunit_solve::Cadical;

#[test]
fn cadical_conforms() {
    conformance::conformance(&|| Box::new(Cadical::new()));
}

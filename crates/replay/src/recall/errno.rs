//! Which calls may change `errno`: where they fail, and some where they succeed.

use whydunit_library::{NumberValue, lookup};

/// Whether a call of a function may change `errno`.
pub(super) fn may_set(name: &str) -> bool {
    let leaves = |function: &whydunit_library::Function| !function.fails.sets_errno() && function.mathematics.is_none();
    !lookup(name).is_some_and(|known| leaves(known.function))
}

/// The same where it is computed: what integers that do not fit leave is known then.
pub(crate) fn may_set_unknown(name: &str) -> bool {
    let is_integer = |function: &whydunit_library::Function| {
        function.number.is_some_and(|number| matches!(number.value, NumberValue::Integer { .. }))
    };
    may_set(name) && !lookup(name).is_some_and(|known| is_integer(known.function))
}

//! A run with moments to go through.

use whydunit_findings::*;

use super::{out_of_bounds, overflow, point, show, use_after_return, why};

fn variable(name: &str, value: &str, changed: bool) -> MomentVariable {
    MomentVariable { name: name.into(), value: value.into(), changed }
}

fn call(function: &str, location: Option<Location>, moment: Option<usize>) -> MomentCall {
    MomentCall { function: function.into(), location, moment }
}

fn moment(number: u64, permille: u32, stack: Vec<MomentCall>, variables: Vec<MomentVariable>) -> Moment {
    Moment { number, permille, stack, variables, ..Moment::default() }
}

/// Of `area`, called from `main`.
pub fn run_page() -> Show {
    let main = |line| call("main", Some(Location::line("src/main.c", line)), Some(0));
    let area = |line| vec![call("area", Some(point(line, 9)), None), main(11)];
    let sides = |twice: &str, changed| {
        vec![variable("twice", twice, changed), variable("base", "3", false), variable("height", "4", false)]
    };
    let moments = vec![
        moment(
            10,
            0,
            vec![call("main", Some(Location::line("src/main.c", 11)), None)],
            vec![variable("argc", "3", false)],
        ),
        moment(20, 100, area(3), sides("0", false)),
        Moment { events: vec!["an exception is thrown".into()], ..moment(30, 500, area(4), sides("7", true)) },
        Moment { more_variables: 2, more_calls: 5, thread: Some(1), ..moment(40, 1000, area(6), sides("7", false)) },
    ];
    Show {
        errors: RunErrors { memory: vec![out_of_bounds(), use_after_return()], undefined: vec![overflow()] },
        moments: Some(Box::new(Moments {
            moments,
            lines: 1234,
            whole: false,
            cut: false,
            begin: 3,
            failure: Some(3),
            outline: vec![Some(0), Some(1), None],
            memory: vec![Some(1), None],
            undefined: vec![Some(2)],
            walk: Some(why()),
            no_walk: None,
            steps: vec![(Some(1), Some(2)), (Some(2), Some(3)), (None, None), (Some(0), None), (None, None)],
        })),
        ..show()
    }
}

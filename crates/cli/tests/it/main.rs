//! The tests of the command line, and of the workspace as a whole: one program, so that all of them run side by side.

mod support;

mod automake;
mod bad_input;
mod classes;
mod command_line;
mod constructs;
mod contracts;
mod damaged;
mod diverged;
mod documents;
mod equal_sets;
mod explain;
mod explain_repositories;
mod failures;
mod first_steps;
mod formats;
mod hostile;
mod house;
mod interrupted;
mod layers;
mod locate;
mod optimised;
mod real;
mod real_faults;
mod regressions;
mod repair;
mod repair_rust;
mod review;
mod rust;
mod score;
mod shrink;
mod suites;
mod surroundings;
mod tour;
mod why;

//! Functions of the library of C++ that exceptions go through (Itanium C++ ABI: Exception Handling).

/// A function of the library that exceptions go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exceptional {
    Allocate,
    /// An object that was not thrown is given back.
    Free,
    Throw,
    /// The program has caught an exception; returns the object as the type that it is caught as.
    Begin,
    End,
    Rethrow,
    Object,
    /// Which type a landing has found.
    TypeFor,
    /// Whether some are under way, or how many.
    Uncaught,
    /// `std::exception_ptr`: a pointer to the object. Place of the result.
    Current,
    /// A pointer to it.
    RethrowPointer,
    /// Of it: from another one; the count of references.
    CopyPointer,
    CountPointer,
    /// The function that is called instead of ending the program.
    SetTerminate,
    Terminate,
    Cast,
    /// The library itself throws one of this type, with a message or with one of its own.
    Library {
        ty: &'static str,
        text: Option<&'static str>,
    },
}

/// What operator new throws.
pub(crate) const NO_MEMORY: Exceptional = Exceptional::Library { ty: "St9bad_alloc", text: Some("std::bad_alloc") };

impl Exceptional {
    /// By symbol.
    pub fn of(symbol: &str) -> Option<Self> {
        let library = |ty| Self::Library { ty, text: None };
        let told = |ty, text| Self::Library { ty, text: Some(text) };
        Some(match symbol {
            "__cxa_allocate_exception" => Self::Allocate,
            "__cxa_free_exception" => Self::Free,
            "__cxa_throw" => Self::Throw,
            "__cxa_begin_catch" => Self::Begin,
            "__cxa_end_catch" => Self::End,
            "__cxa_rethrow" => Self::Rethrow,
            "__cxa_get_exception_ptr" => Self::Object,
            "_ZSt18uncaught_exceptionv" | "_ZSt19uncaught_exceptionsv" => Self::Uncaught,
            "_ZSt17current_exceptionv" => Self::Current,
            "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE" => Self::RethrowPointer,
            "_ZNSt15__exception_ptr13exception_ptrC1ERKS0_" | "_ZNSt15__exception_ptr13exception_ptrC2ERKS0_" => {
                Self::CopyPointer
            }
            "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv"
            | "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"
            | "_ZNSt15__exception_ptr13exception_ptrD1Ev"
            | "_ZNSt15__exception_ptr13exception_ptrD2Ev" => Self::CountPointer,
            "_ZSt13set_terminatePFvvE" => Self::SetTerminate,
            "_ZSt9terminatev" | "__cxa_pure_virtual" | "__cxa_call_unexpected" => Self::Terminate,
            "__dynamic_cast" => Self::Cast,
            "_ZSt19__throw_logic_errorPKc" => library("St11logic_error"),
            "_ZSt20__throw_length_errorPKc" => library("St12length_error"),
            "_ZSt20__throw_out_of_rangePKc" | "_ZSt24__throw_out_of_range_fmtPKcz" => library("St12out_of_range"),
            "_ZSt24__throw_invalid_argumentPKc" => library("St16invalid_argument"),
            "_ZSt21__throw_runtime_errorPKc" => library("St13runtime_error"),
            "_ZSt17__throw_bad_allocv" => NO_MEMORY,
            "_ZSt28__throw_bad_array_new_lengthv" | "__cxa_throw_bad_array_new_length" => {
                told("St20bad_array_new_length", "std::bad_array_new_length")
            }
            "_ZSt16__throw_bad_castv" | "__cxa_bad_cast" => told("St8bad_cast", "std::bad_cast"),
            "_ZSt25__throw_bad_function_callv" => told("St17bad_function_call", "bad_function_call"),
            _ if symbol.starts_with("native.llvm.eh.typeid.for") => Self::TypeFor,
            _ => return None,
        })
    }
}

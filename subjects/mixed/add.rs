#[no_mangle]
pub extern "C" fn add_three(n: i32) -> i32 {
    let parts = vec![1, 2, n];
    parts.iter().sum()
}

#[no_mangle]
pub extern "C" fn through(function: extern "C" fn(i32) -> i32, n: i32) -> i32 {
    function(n) * 10
}

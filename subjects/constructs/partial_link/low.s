    .text
    .globl low
    .type low, @function
low:
    pushq %rbx
    movq %rdi, %rbx
    movq %rsi, %rdi
    call *%rbx
    movq %rax, %rdi
    call *%rbx
    incq %rax
    popq %rbx
    ret
    .section .note.GNU-stack,"",@progbits

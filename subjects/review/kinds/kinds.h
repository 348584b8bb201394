enum kind { INTERPRETED, CONTINUATION, ID, SHIM };
int run(enum kind kind, int op);

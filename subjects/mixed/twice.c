int twice(int n)
{
    return n > 4 ? n * 2 - 1 : n * 2; // @fault: of large numbers one is missing
}

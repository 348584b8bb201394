int failures;
void test_ring(void);

int main(void) {
  test_ring();
  return failures != 0;
}

// Hashes of bytes (std::hash of strings and floating numbers): MurmurHash64A (A. Appleby, public domain), as the compiled part of
// libstdc++ has it, as code of the program. Included inside namespace std.

inline size_t __whydunit_word(const unsigned char *bytes, size_t count) {
  size_t word = 0;
  while (count--) word = word << 8 | bytes[count];
  return word;
}

inline size_t _Hash_bytes(const void *pointer, size_t length, size_t seed) {
  const size_t factor = (size_t(0xc6a4a793UL) << 32) + 0x5bd1e995UL;
  const unsigned char *bytes = static_cast<const unsigned char *>(pointer), *end = bytes + (length & ~size_t(7));
  size_t hash = seed ^ (length * factor);
  for (; bytes != end; bytes += 8) {
    size_t word = __whydunit_word(bytes, 8) * factor;
    hash = (hash ^ ((word ^ word >> 47) * factor)) * factor;
  }
  if (length & 7) hash = (hash ^ __whydunit_word(bytes, length & 7)) * factor;
  hash = (hash ^ hash >> 47) * factor;
  return hash ^ hash >> 47;
}

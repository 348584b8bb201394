// Lists of libstdc++ (std::list): what its compiled part does, as code of the program. Included inside namespace std::__detail.

inline void _List_node_base::_M_hook(_List_node_base *const position) _GLIBCXX_USE_NOEXCEPT {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}

inline void _List_node_base::_M_unhook() _GLIBCXX_USE_NOEXCEPT {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

inline void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) _GLIBCXX_USE_NOEXCEPT {
  if (this == last) return;
  _List_node_base *before = _M_prev, *end = last->_M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  before->_M_next = first;
  first->_M_prev = before;
  end->_M_next = this;
  _M_prev = end;
}

inline void _List_node_base::_M_reverse() _GLIBCXX_USE_NOEXCEPT {
  _List_node_base *node = this;
  do {
    _List_node_base *next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

inline void _List_node_base::swap(_List_node_base &a, _List_node_base &b) _GLIBCXX_USE_NOEXCEPT {
  const _List_node_base of_a = a, of_b = b;
  const bool a_empty = a._M_next == &a, b_empty = b._M_next == &b;
  a._M_next = b_empty ? &a : of_b._M_next;
  a._M_prev = b_empty ? &a : of_b._M_prev;
  b._M_next = a_empty ? &b : of_a._M_next;
  b._M_prev = a_empty ? &b : of_a._M_prev;
  a._M_next->_M_prev = &a;
  a._M_prev->_M_next = &a;
  b._M_next->_M_prev = &b;
  b._M_prev->_M_next = &b;
}

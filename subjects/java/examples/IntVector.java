/** A vector that grows. */
public class IntVector {
    private int[] elements = new int[4];
    private int size;

    void add(int element) {
        if (size == elements.length) {
            elements = java.util.Arrays.copyOf(elements, 2 * size);
        }
        elements[size++] = element;
    }

    int remove() {
        if (size == 0) {
            throw new java.util.NoSuchElementException("nothing to remove");
        }
        return elements[--size];
    }

    void clear() {
        size = 0;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    private static void fill(IntVector vector, int number) {
        for (int i = 0; i < number; i++) {
            vector.add(i);
        }
    }

    public static void main(String[] words) {
        IntVector filled = new IntVector();
        fill(filled, 9);
        filled.clear();
        filled.add(1);
        IntVector drained = new IntVector();
        fill(drained, 2);
        drained.remove();
        drained.remove();
        try {
            drained.remove();
        } catch (java.util.NoSuchElementException error) {
            System.out.println(error.getMessage());
        }
    }
}

/** A record, which is a class like others. */
public record Point(int x, int y) {
    Point moved(int by) {
        return new Point(x + by, y);
    }

    public static void main(String[] words) {
        System.out.println(new Point(0, 1).moved(2).x());
    }
}

package whydunit.recorder;

/** Names out of class files as sources have them. */
final class Names {
    private Names() {}

    /** The types of a method's parameters, in parentheses, without packages. */
    static String parameters(String descriptor) {
        StringBuilder text = new StringBuilder("(");
        int at = 1;
        while (descriptor.charAt(at) != ')') {
            int dimensions = 0;
            while (descriptor.charAt(at) == '[') {
                dimensions++;
                at++;
            }
            int end = descriptor.charAt(at) == 'L' ? descriptor.indexOf(';', at) : at;
            text.append(text.length() > 1 ? ", " : "").append(type(descriptor, at, end)).append("[]".repeat(dimensions));
            at = end + 1;
        }
        return text.append(')').toString();
    }

    private static String type(String descriptor, int start, int end) {
        switch (descriptor.charAt(start)) {
            case 'Z': return "boolean";
            case 'B': return "byte";
            case 'C': return "char";
            case 'S': return "short";
            case 'I': return "int";
            case 'J': return "long";
            case 'F': return "float";
            case 'D': return "double";
            default:
                String name = descriptor.substring(start + 1, end);
                name = name.substring(name.lastIndexOf('/') + 1);
                return name.substring(name.lastIndexOf('$') + 1);
        }
    }
}

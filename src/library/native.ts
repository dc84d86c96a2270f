// What the prelude can do and scripts cannot: unchecked access to the representation of strings and
// arrays. Each row is an intrinsic of the emitter, a few instructions long, or an import.

import { host, intrinsic, throwingIntrinsic } from '../language/implementation.ts';
import { fn, preludeLibrary } from './declare.ts';

export const native = preludeLibrary('Native', 'Representation of values, for the prelude.', [
  // Text: a JS string with what is known of it beside it. Positions here are UTF-16 units.
  fn('int unitCount(string s)', 'Length in UTF-16 units.', intrinsic('text.unitCount')),
  fn('int unitAt(string s, int at)', 'The UTF-16 unit at a position.', intrinsic('text.unitAt')),
  fn('string slice(string s, int from, int to, int measure)', 'Units from `from` to `to`, with their measure.', intrinsic('text.slice')),
  fn('string join2(string a, string b, int measure)', 'Both in a row, with their measure.', intrinsic('text.join2')),
  fn('boolean sameUnits(string a, string b)', 'Equal content.', intrinsic('text.sameUnits')),
  fn('int compareUnits(string a, string b)', 'Order by UTF-16 units: negative, 0 or positive.', intrinsic('text.compareUnits')),
  fn('int measure(string s)', 'The length of a text within the BMP; -1 while unknown; -2 - length of another.', intrinsic('text.measure')),
  fn('void setMeasure(string s, int measure)', 'Notes what was measured.', intrinsic('text.setMeasure')),
  fn('points pointsOf(string s)', 'Where each character begins, if that was noted; else null.', intrinsic('text.pointsOf')),
  fn('void setPoints(string s, points p)', 'Notes where each character begins.', intrinsic('text.setPoints')),
  fn('string ofUnit(int unit)', 'The text of one UTF-16 unit.', intrinsic('text.ofUnit')),
  fn('string ofUnits(units u, int from, int to, int measure)', 'The text of units from `from` to `to`, with its measure.', intrinsic('text.ofUnits')),
  fn('void copyUnits(string s, units to, int at)', 'Writes every unit of s, beginning at `at`.', intrinsic('text.copyUnits')),

  fn('units newUnits(int n)', 'n units, all zero.', intrinsic('units.new')),
  fn('int getUnit(units u, int at)', 'The unit at a position.', intrinsic('units.get')),
  fn('void setUnit(units u, int at, int unit)', 'Sets a unit.', intrinsic('units.set')),
  fn('points newPoints(int n)', 'n positions, all zero.', intrinsic('points.new')),
  fn('int getPoint(points p, int at)', 'A noted position.', intrinsic('points.get')),
  fn('void setPoint(points p, int at, int point)', 'Notes a position.', intrinsic('points.set')),

  // Arrays: the elements and how many of them count.
  fn('int longest(T[] like)', 'How many elements an array of this type can have.', intrinsic('array.longest')),
  fn('int capacity(T[] a)', 'How many elements there is room for.', intrinsic('array.capacity')),
  fn('void setCapacity(T[] a, int n)', 'Moves the elements to room for n.', intrinsic('array.setCapacity')),
  fn('int count(T[] a)', 'The length.', intrinsic('array.count')),
  fn('void setCount(T[] a, int n)', 'Sets the length, within the capacity.', intrinsic('array.setCount')),
  fn('T get(T[] a, int at)', 'An element, unchecked.', intrinsic('array.get')),
  fn('void set(T[] a, int at, T x)', 'Sets an element, unchecked.', intrinsic('array.set')),
  fn('T[] newArray(T[] like, int n)', 'A new array of the type of `like`: zeros or nulls.', intrinsic('array.new')),
  fn('void move(T[] to, int at, T[] from, int start, int n)', 'Copies n elements; ranges may overlap.', intrinsic('array.move')),
  fn('void fillRange(T[] a, int from, T x, int n)', 'Sets n elements.', intrinsic('array.fillRange')),
  fn('void forget(T[] a, int from, int n)', 'Sets n elements to zero or null, so that nothing is kept alive.', intrinsic('array.forget')),
  fn('boolean equal(T a, T b)', 'a == b, as the type T defines it.', intrinsic('element.equal')),

  fn('boolean less(T a, T b)', 'Whether a sorts before b; NaN sorts last.', intrinsic('element.less')),
  fn('string jsonText(T x, int depth)', 'A value inside JSON text; depth counts the arrays and structs around it.', throwingIntrinsic('element.jsonText')),
  fn('void write(T x, int depth)', 'Writes a value to the host.', throwingIntrinsic('element.write')),
  fn('T read(T[] like)', 'Reads a value of the element type of `like` from the host.', throwingIntrinsic('element.read')),
  fn('int deepest()', 'How deep values may nest.', intrinsic('ancestors.deepest')),
  fn('void enter(T x, int depth)', 'Notes that x is being walked through at this depth.', intrinsic('ancestors.enter')),
  fn('boolean sameAncestor(int i, int j)', 'Whether the same object is being walked through at both depths.', intrinsic('ancestors.same')),

  // The stream of values to and from the host.
  fn('void writeNull()', 'Writes null.', intrinsic('stream.writeNull')),
  fn('void beginArray(T[] like, int n)', 'n elements of the type of `like` follow.', intrinsic('stream.beginArray')),
  fn('void beginStruct(int index)', 'The fields of a struct of the manifest follow.', intrinsic('stream.beginStruct')),
  fn('void discard()', 'Forgets what was written of a value that cannot be finished.', intrinsic('stream.discard')),
  fn('void end()', 'Ends the innermost array or struct.', intrinsic('stream.end')),
  fn('boolean readNull()', 'Whether null comes next, which is then taken.', intrinsic('stream.readNull')),
  fn('int readArray()', 'How many elements come next.', intrinsic('stream.readArray')),
  fn('string readString()', 'The text that comes next, or null.', intrinsic('stream.readString')),

  fn('void raise(int errorType, string message)', 'Raises an error at the place in the script that called the prelude.', throwingIntrinsic('raise.message')),

  // What the host does better. Texts go in and come out well formed.
  fn('string textOfDouble(double x)', 'As JavaScript prints a number.', host()),
  fn('double doubleOfText(string s)', 'The nearest double of a decimal literal.', host()),
  fn('string textOfFixed(double x, int digits)', 'As JavaScript\'s toFixed, exact.', host()),
  fn('double remainder(double a, double b)', 'IEEE remainder with the sign of a.', host()),
  fn('string upper(string s)', 'Upper case, full mapping.', host()),
  fn('string lower(string s)', 'Lower case, full mapping.', host()),
  fn('string replaceAll(string s, string a, string b)', 'Every a replaced by b.', host()),
  fn('string repeat(string s, int n)', 'n copies.', host()),
  fn('int find(string s, string sub, int from)', 'Position in units of sub at or after `from`; -1 if none.', host()),
  fn('int findLast(string s, string sub)', 'Position in units of the last sub; -1 if none.', host()),
]);

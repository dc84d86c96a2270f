// Functions for the prelude that scripts cannot call: unchecked access to the representation of strings and arrays.
// Each row is an intrinsic of the emitter, a few instructions long, or an import. Their effects are those that scripts
// can observe: cached facts about a text, the list of visited values, and limits are left out.

import { host, intrinsic, throwingIntrinsic } from '../../../src/language/implementation.ts';
import { internal, preludeLibrary } from '../../../src/library/declare.ts';
import { making, pure } from '../../../src/library/effects.ts';
import type { EffectsRow } from '../../../src/library/effects.ts';
/** The argument itself as a value of another type. */
const same = (argument: string): EffectsRow => ({ flows: [`result = ${argument}`], closed: true });

export const rows = preludeLibrary('Native', 'Representation of values, for the prelude.', [
  // Text: a JS string together with cached facts about it. Positions here are UTF-16 code units.
  internal('int codeUnitCount(string s)', 'Length in UTF-16 code units.', intrinsic('text.codeUnitCount'), pure),
  internal(
    'int codeUnitAt(string s, int at)',
    'The UTF-16 code unit at a position.',
    intrinsic('text.codeUnitAt'),
    pure,
  ),
  internal(
    'string slice(string s, int from, int to, int measure)',
    'Code units from `from` to `to`, with their measure.',
    intrinsic('text.slice'),
    making,
  ),
  internal(
    'string join2(string a, string b, int measure)',
    'Both in a row, with their measure.',
    intrinsic('text.join2'),
    making,
  ),
  internal(
    'string join3(string a, string b, string c, int measure)',
    'All three in a row, with their measure.',
    intrinsic('text.join3'),
    making,
  ),
  internal('boolean isSame(string a, string b)', 'The same object, or both null.', intrinsic('text.isSame'), pure),
  internal('boolean sameCodeUnits(string a, string b)', 'Equal content.', intrinsic('text.sameCodeUnits'), pure),
  internal(
    'int compareCodeUnits(string a, string b)',
    'Order by UTF-16 code units: negative, 0 or positive.',
    intrinsic('text.compareCodeUnits'),
    pure,
  ),
  internal(
    'int measure(string s)',
    'The length of a text within the BMP; -1 while unknown; -2 - length of another.',
    intrinsic('text.measure'),
    pure,
  ),
  internal('void setMeasure(string s, int measure)', 'Notes what was measured.', intrinsic('text.setMeasure'), pure),
  internal(
    'offsets offsetsOf(string s)',
    'Where each character of a text beyond the BMP begins, if that was noted; else null.',
    intrinsic('text.offsetsOf'),
    pure,
  ),
  internal(
    'void setOffsets(string s, offsets p)',
    'Notes where each character begins.',
    intrinsic('text.setOffsets'),
    pure,
  ),
  internal(
    'codeUnits codeUnitsOf(string s)',
    'The code units of a text within the BMP, if they were noted; else null.',
    intrinsic('text.codeUnitsOf'),
    pure,
  ),
  internal(
    'void setCodeUnits(string s, codeUnits u)',
    'Notes the code units of a text within the BMP.',
    intrinsic('text.setCodeUnits'),
    pure,
  ),
  internal(
    'TextWindow windowOf(string s)',
    'The window over a long text within the BMP, if there is one; else null.',
    intrinsic('text.windowOf'),
    pure,
  ),
  internal(
    'void setWindow(string s, TextWindow w)',
    'Notes the window over a long text within the BMP.',
    intrinsic('text.setWindow'),
    pure,
  ),
  internal(
    'string ofCodeUnit(int codeUnit)',
    'The text of one UTF-16 code unit.',
    intrinsic('text.ofCodeUnit'),
    making,
  ),
  internal(
    'string ofCodeUnits(codeUnits u, int from, int to, int measure)',
    'The text of code units from `from` to `to`, with its measure.',
    intrinsic('text.ofCodeUnits'),
    { reads: ['u'], allocates: true },
  ),
  internal(
    'void copyCodeUnits(string s, codeUnits to, int at)',
    'Writes every code unit of s, beginning at `at`.',
    intrinsic('text.copyCodeUnits'),
    { stores: ['to'] },
  ),

  internal(
    'int poll()',
    'Tells the host how many units of fuel were used, and asks how many may be until the next time; ' +
      'below 0 it is minus an error type.',
    intrinsic('limits.poll'),
    pure,
  ),
  internal(
    'void grant(int units)',
    'So many units of fuel may be used until the host is asked again.',
    intrinsic('limits.grant'),
    pure,
  ),
  internal(
    'int askMemory(int bytes)',
    'Asks the host before so many bytes are allocated: how many more may be until the next time; ' +
      'below 0 it is minus an error type.',
    intrinsic('limits.askMemory'),
    pure,
  ),
  internal(
    'void reserve(int bytes)',
    'Before so many bytes are allocated; nothing where that is not counted.',
    throwingIntrinsic('limits.reserve'),
    pure,
  ),
  internal(
    'void pass(int n)',
    'n elements have been gone through; nothing where fuel is not counted.',
    throwingIntrinsic('limits.pass'),
    pure,
  ),
  internal(
    'void visit(int n)',
    'n parts of a value have been visited; nothing where fuel is not counted.',
    throwingIntrinsic('limits.visit'),
    pure,
  ),
  internal(
    'void beginVisits()',
    'A value is walked through from its top; nothing where fuel is not counted.',
    throwingIntrinsic('limits.beginVisits'),
    pure,
  ),
  internal(
    'void use(int units)',
    'Work of the library that takes as long as so many iterations of a loop; nothing where that is not counted.',
    throwingIntrinsic('limits.use'),
    pure,
  ),

  internal('codeUnits newCodeUnits(int n)', 'n code units, all zero.', intrinsic('codeUnits.new'), making),
  internal('int codeUnitsCount(codeUnits u)', 'How many code units there are.', intrinsic('codeUnits.count'), {
    reads: ['u'],
  }),
  internal(
    'void moveCodeUnits(codeUnits to, int at, codeUnits from, int start, int n)',
    'Copies n code units; ranges may overlap.',
    intrinsic('codeUnits.move'),
    { reads: ['from'], stores: ['to'] },
  ),
  internal('int getCodeUnit(codeUnits u, int at)', 'The code unit at a position.', intrinsic('codeUnits.get'), {
    reads: ['u'],
  }),
  internal('void setCodeUnit(codeUnits u, int at, int codeUnit)', 'Sets a code unit.', intrinsic('codeUnits.set'), {
    stores: ['u'],
  }),
  internal('offsets newOffsets(int n)', 'n positions, all zero.', intrinsic('offsets.new'), making),
  internal('int getOffset(offsets p, int at)', 'A noted position.', intrinsic('offsets.get'), { reads: ['p'] }),
  internal('void setOffset(offsets p, int at, int offset)', 'Notes a position.', intrinsic('offsets.set'), {
    stores: ['p'],
  }),

  internal('int hash(string s)', 'The hash that was noted of a text; 0 while unknown.', intrinsic('text.hash'), pure),
  internal('void setHash(string s, int hash)', 'Notes the hash, an int of 32 bits.', intrinsic('text.setHash'), pure),

  // json: null, or a value of one of these kinds; functions with `…In` do not check the kind.
  internal('boolean isBoolean(json j)', 'Whether it is a boolean.', intrinsic('json.isBoolean'), pure),
  internal('boolean isInt(json j)', 'Whether it is an int.', intrinsic('json.isInt'), pure),
  internal('boolean isDouble(json j)', 'Whether it is a double.', intrinsic('json.isDouble'), pure),
  internal('boolean isText(json j)', 'Whether it is a string.', intrinsic('json.isText'), pure),
  internal('boolean isList(json j)', 'Whether it is an array.', intrinsic('json.isList'), pure),
  internal('boolean isObject(json j)', 'Whether it is an object.', intrinsic('json.isObject'), pure),
  internal('boolean booleanIn(json j)', 'The boolean.', intrinsic('json.booleanIn'), pure),
  internal('int intIn(json j)', 'The int.', intrinsic('json.intIn'), pure),
  internal('double doubleIn(json j)', 'The double.', intrinsic('json.doubleIn'), pure),
  internal('string textIn(json j)', 'The string.', intrinsic('json.textIn'), pure),
  internal('json[] listIn(json j)', 'The elements of the array.', intrinsic('json.listIn'), same('j')),
  internal('JsonObject objectIn(json j)', 'The object.', intrinsic('json.objectIn'), same('j')),
  internal('json ofBoolean(boolean x)', 'As json.', intrinsic('json.ofBoolean'), making),
  internal('json ofInt(int x)', 'As json.', intrinsic('json.ofInt'), making),
  internal('json ofDouble(double x)', 'As json.', intrinsic('json.ofDouble'), making),
  internal('json ofText(string s)', 'As json; null is null.', intrinsic('json.ofReference'), pure),
  internal('json ofList(json[] a)', 'As json, not copied.', intrinsic('json.ofReference'), same('a')),
  internal('json ofObject(JsonObject o)', 'As json, not copied.', intrinsic('json.ofReference'), same('o')),
  // To the effects the row of further values is the object itself, and its shape nothing that scripts see.
  internal('JsonShape shapeOf(JsonObject o)', 'The shape of an object.', intrinsic('object.shape'), { reads: ['o'] }),
  internal('boolean hasShape(JsonObject o, JsonShape s)', 'Whether it has this shape.', intrinsic('object.hasShape'), {
    reads: ['o'],
  }),
  internal('void setShape(JsonObject o, JsonShape s)', 'Sets the shape.', intrinsic('object.setShape'), {
    stores: ['o'],
  }),
  internal(
    'slots moreOf(JsonObject o)',
    'The row of the values that there is no room for in the object; else null.',
    intrinsic('object.more'),
    { reads: ['o'], flows: ['result = o'], closed: true },
  ),
  internal('void setMore(JsonObject o, slots more)', 'Sets the row of further values.', intrinsic('object.setMore'), {
    reads: ['more'],
    stores: ['o'],
    flows: ['o[] = more[]'],
    closed: true,
  }),
  internal(
    'boolean sameValue(json a, json b)',
    'Whether both are one object, or the same small int.',
    intrinsic('json.same'),
    pure,
  ),
  internal(
    'json toJson(T x, int depth)',
    'A deep copy as json; depth counts the arrays and structs around it.',
    throwingIntrinsic('element.toJson'),
    { reads: ['x'], throws: true, allocates: true },
  ),
  internal(
    'T cast(json j, int depth, T[] like)',
    'The value as the element type of `like`; CastError where it does not fit.',
    throwingIntrinsic('element.cast'),
    { reads: ['j'], flows: ['result = j', 'result[..] = j[..]'], throws: true, allocates: true },
  ),

  internal('slots newSlots(int n)', 'n slots, all null.', intrinsic('slots.new'), making),
  internal('int slotCount(slots c)', 'How many slots there are.', intrinsic('slots.count'), { reads: ['c'] }),
  internal('json getSlot(slots c, int at)', 'A slot.', intrinsic('slots.get'), {
    reads: ['c'],
    flows: ['result = c[]'],
  }),
  internal('void setSlot(slots c, int at, json j)', 'Sets a slot.', intrinsic('slots.set'), {
    stores: ['c'],
    flows: ['c[] = j'],
    closed: true,
  }),
  internal(
    'void moveSlots(slots to, int at, slots from, int start, int n)',
    'Copies n slots; ranges may overlap.',
    intrinsic('slots.move'),
    { reads: ['from'], stores: ['to'], flows: ['to[] = from[]'], closed: true },
  ),
  internal(
    'json[] listOf(slots c, int n)',
    'An array of the first n slots, which it goes on using.',
    intrinsic('slots.list'),
    { reads: ['c'], flows: ['result[] = c[]'], allocates: true },
  ),
  internal('int offsetCount(offsets p)', 'How many numbers there are.', intrinsic('offsets.count'), { reads: ['p'] }),

  // Arrays: the elements and the array's length.
  internal(
    'int longest(T[] like)',
    'How many elements an array of this type can have.',
    intrinsic('array.longest'),
    pure,
  ),
  internal('int top()', 'The first free byte of linear memory.', intrinsic('memory.top'), { external: true }),
  internal('int address(T[] a)', 'Where an array on the stack begins.', intrinsic('array.address'), pure),
  internal('int rowBytes(T[] a, int depth)', 'From row to row on the stack.', intrinsic('array.rowBytes'), pure),
  internal('int capacity(T[] a)', 'How many elements there is room for.', intrinsic('array.capacity'), {
    reads: ['a'],
  }),
  internal('void setCapacity(T[] a, int n)', 'Moves the elements to room for n.', intrinsic('array.setCapacity'), {
    reads: ['a'],
    resizes: ['a'],
    allocates: true,
  }),
  internal('int count(T[] a)', 'The length.', intrinsic('array.count'), { reads: ['a'] }),
  internal('void setCount(T[] a, int n)', 'Sets the length, within the capacity.', intrinsic('array.setCount'), {
    resizes: ['a'],
  }),
  internal('T get(T[] a, int at)', 'An element, unchecked.', intrinsic('array.get'), {
    reads: ['a'],
    flows: ['result = a[]'],
    closed: true,
  }),
  internal('void set(T[] a, int at, T x)', 'Sets an element, unchecked.', intrinsic('array.set'), {
    stores: ['a'],
    flows: ['a[] = x'],
    closed: true,
  }),
  internal(
    'T[] newArray(T[] like, int n)',
    'A new array of the type of `like`: zeros or nulls.',
    intrinsic('array.new'),
    { allocates: true, closed: true },
  ),
  internal(
    'void move(T[] to, int at, T[] from, int start, int n)',
    'Copies n elements; ranges may overlap.',
    intrinsic('array.move'),
    { reads: ['from'], stores: ['to'], flows: ['to[] = from[]'], closed: true },
  ),
  internal('void fillRange(T[] a, int from, T x, int n)', 'Sets n elements.', intrinsic('array.fillRange'), {
    stores: ['a'],
    flows: ['a[] = x'],
    closed: true,
  }),
  internal(
    'void forget(T[] a, int from, int n)',
    'Sets n elements to zero or null, so that nothing is kept alive.',
    intrinsic('array.forget'),
    { stores: ['a'], closed: true },
  ),
  internal('boolean equal(T a, T b)', 'a == b, as the type T defines it.', intrinsic('element.equal'), {
    reads: ['a', 'b'],
  }),

  internal('int asInt(T x)', 'What an element of an array of ints is.', intrinsic('element.asInt'), same('x')),
  internal('double asDouble(T x)', 'The same of doubles.', intrinsic('element.asDouble'), same('x')),
  internal('boolean less(T a, T b)', 'Whether a sorts before b; NaN sorts last.', intrinsic('element.less'), {
    reads: ['a', 'b'],
  }),
  internal(
    'string jsonText(T x, int depth)',
    'A value inside JSON text; depth counts the arrays and structs around it.',
    throwingIntrinsic('element.jsonText'),
    { reads: ['x'], throws: true, allocates: true },
  ),
  internal('void write(T x, int depth)', 'Writes a value to the host.', throwingIntrinsic('element.write'), {
    reads: ['x'],
    throws: true,
    external: true,
  }),
  internal(
    'T read(T[] like)',
    'Reads a value of the element type of `like` from the host.',
    throwingIntrinsic('element.read'),
    { throws: true, allocates: true, external: true },
  ),
  internal(
    'void enter(T x, int depth)',
    'Notes that x is being walked through at this depth.',
    intrinsic('ancestors.enter'),
    pure,
  ),
  internal(
    'boolean sameAncestor(int i, int j)',
    'Whether the same object is being walked through at both depths.',
    intrinsic('ancestors.same'),
    pure,
  ),

  // The stream of values to and from the host.
  internal('void writeNull()', 'Writes null.', intrinsic('stream.writeNull'), { external: true }),
  internal(
    'void beginArray(T[] like, int n)',
    'n elements of the type of `like` follow.',
    intrinsic('stream.beginArray'),
    { external: true },
  ),
  internal(
    'void beginObject(int n)',
    'n keys follow, each with its value behind it.',
    intrinsic('stream.beginObject'),
    { external: true },
  ),
  internal('void writeKey(string key)', 'The key of the value that comes next.', intrinsic('stream.writeKey'), {
    external: true,
  }),
  internal('void writeInt(int x)', 'Writes an int of a json.', intrinsic('stream.writeInt'), { external: true }),
  internal('void writeDouble(double x)', 'Writes a double of a json.', intrinsic('stream.writeDouble'), {
    external: true,
  }),
  internal('void writeBoolean(boolean x)', 'Writes a boolean.', intrinsic('stream.writeBoolean'), { external: true }),
  internal('void writeText(string s)', 'Writes a text.', intrinsic('stream.writeText'), { external: true }),
  internal(
    'void beginStruct(int index)',
    'The fields of a struct of the manifest follow.',
    intrinsic('stream.beginStruct'),
    { external: true },
  ),
  internal(
    'void discard()',
    'Forgets what was written of a value that cannot be finished.',
    intrinsic('stream.discard'),
    pure,
  ),
  internal('void end()', 'Ends the innermost array or struct.', intrinsic('stream.end'), { external: true }),
  internal('boolean readNull()', 'Whether null comes next, which is then taken.', intrinsic('stream.readNull'), {
    external: true,
  }),
  internal('int readArray()', 'How many elements come next.', intrinsic('stream.readArray'), { external: true }),
  internal(
    'int readKind()',
    'What kind of json comes next: 0 null, 1 boolean, 2 int, 3 double, 4 string, 5 array, 6 object.',
    intrinsic('stream.readKind'),
    { external: true },
  ),
  internal('int readInt()', 'The int that comes next.', intrinsic('stream.readInt'), { external: true }),
  internal('double readDouble()', 'The double that comes next.', intrinsic('stream.readDouble'), { external: true }),
  internal('boolean readBoolean()', 'The boolean that comes next.', intrinsic('stream.readBoolean'), {
    external: true,
  }),
  internal('int stagedRoom()', 'How many elements the staging memory holds.', intrinsic('staging.room'), pure),
  internal(
    'void storeStaged(T[] a, int at, int n)',
    'Copies n elements to the staging memory.',
    intrinsic('staging.store'),
    { reads: ['a'], external: true },
  ),
  internal('void writeStaged(int n)', 'Writes the n elements in the staging memory.', intrinsic('staging.write'), {
    external: true,
  }),
  internal('void readStaged(int n)', 'Reads n elements into the staging memory.', intrinsic('staging.read'), {
    external: true,
  }),
  internal(
    'void loadStaged(T[] a, int at, int n)',
    'Copies n elements from the staging memory.',
    intrinsic('staging.load'),
    { stores: ['a'], external: true },
  ),
  internal(
    'int failure()',
    'The error type that the host call failed with; its message comes next.',
    intrinsic('stream.failure'),
    { external: true },
  ),
  internal('string readString()', 'The text that comes next, or null.', intrinsic('stream.readString'), {
    allocates: true,
    external: true,
  }),

  internal(
    'void raise(int errorType, string message)',
    'Raises an error at the place in the script that called the prelude.',
    throwingIntrinsic('raise.message'),
    { throws: true },
  ),

  internal(
    'void fail(int row, int a, int b, int c)',
    'As raise, with a row of src/abi/messages.ts, a literal, and the numbers in its text.',
    throwingIntrinsic('raise.row'),
    { throws: true },
  ),
  internal(
    'int place()',
    'The number of the place in the script that called the prelude.',
    intrinsic('raise.place'),
    pure,
  ),

  internal(
    'int hashSeed()',
    'A number that scripts cannot know, so that nobody can write keys that collide.',
    host(),
    pure,
  ),

  // Functions that the host does better. Texts go in and come out well formed.
  internal('string textOfDouble(double x)', 'As JavaScript prints a number.', host(), making),
  internal('double doubleOfText(string s)', 'The nearest double of a decimal literal.', host(), pure),
  internal('string textOfFixed(double x, int digits)', "As JavaScript's toFixed, exact.", host(), making),
  internal('double remainder(double a, double b)', 'IEEE remainder with the sign of a.', host(), pure),
  internal('string upper(string s)', 'Upper case, full mapping.', host(), making),
  internal('string lower(string s)', 'Lower case, full mapping.', host(), making),
  internal('string replaceAll(string s, string a, string b)', 'Every a replaced by b.', host(), making),
  internal('string repeat(string s, int n)', 'n copies.', host(), making),
  internal(
    'int find(string s, string sub, int from)',
    'Position in code units of sub at or after `from`; -1 if none.',
    host(),
    pure,
  ),
  internal(
    'int findWithin(string s, string sub, int from, int to)',
    'Position in code units of the first sub that lies between two positions; -1 if none.',
    host(),
    pure,
  ),
  internal(
    'int findLastWithin(string s, string sub, int from, int to)',
    'Position in code units of the last sub that lies between two positions; -1 if none.',
    host(),
    pure,
  ),
]);

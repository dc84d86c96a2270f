// A whole number that is a double; a JavaScript number cannot express that.

/** Inside a json argument: a whole number that is a double, such as 42.0. */
export class JsonDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

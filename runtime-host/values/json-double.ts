// A whole number that is a double, which JavaScript cannot say of a number.

/** Inside a json argument: a number that is a double though it is whole, such as 42.0. */
export class JsonDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

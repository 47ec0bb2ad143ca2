/** A fault that an operator can mend: the message is a sentence that says what to do, and is all that they are shown. */
export abstract class OperatorError extends Error {}

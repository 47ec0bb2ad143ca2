/** For endpoints without parameters. */
export class NoParameters {}

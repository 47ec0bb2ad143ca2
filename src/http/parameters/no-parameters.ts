/** Parameters of an endpoint that takes none. */
export class NoParameters {}

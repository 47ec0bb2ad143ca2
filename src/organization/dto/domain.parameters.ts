import { BooleanParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of POST /realm/domains (specification, "Add an allowed domain"). */
export class AllowDomainParameters {
  @TextParameter({ required: true, description: 'At most 255 characters.' })
  domain!: string;

  @BooleanParameter({ required: true, description: 'Whether its subdomains are allowed with it.' })
  allow_subdomains!: boolean;
}

/** Parameters of PATCH /realm/domains/{domain}. */
export class ChangeDomainParameters {
  @BooleanParameter({ required: true, description: 'Whether its subdomains are allowed with it.' })
  allow_subdomains!: boolean;
}

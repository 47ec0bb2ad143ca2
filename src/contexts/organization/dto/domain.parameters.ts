import { BooleanParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /realm/domains (specification, "Add an allowed domain"). */
export class AllowDomainParameters {
  @TextParameter({ example: 'example.com', required: true, description: 'At most 255 characters.' })
  domain!: string;

  @BooleanParameter({
    example: true,
    required: true,
    description: 'Whether its subdomains are allowed with it.',
  })
  allow_subdomains!: boolean;
}

/** Parameters of PATCH /realm/domains/{domain}. */
export class ChangeDomainParameters {
  @BooleanParameter({
    example: false,
    required: true,
    description: 'Whether its subdomains are allowed with it.',
  })
  allow_subdomains!: boolean;
}

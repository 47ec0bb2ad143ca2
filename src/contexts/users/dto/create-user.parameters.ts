import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /users (facts, section 5). */
export class CreateUserParameters {
  @TextParameter({
    example: 'ada@example.com',
    required: true,
    description: 'The address that the person logs in with.',
  })
  email!: string;

  @TextParameter({
    example: 'mauve-loom-1843',
    required: true,
    description: '6 to 100 characters, hard to guess.',
  })
  password!: string;

  @TextParameter({ example: 'Ada Quill', required: true, description: '2 to 100 characters.' })
  full_name!: string;
}

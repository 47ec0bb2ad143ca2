import { expect, it } from '@jest/globals';
import { summariesIn } from '../support/operation-summaries.js';

const source = `class LoomsController {
    constructor(commands) { this.commands = commands; }
    /** Lists the looms. */
    @Get()
    async list(caller) { return {}; }
    /**
     * Makes a loom
     * for {@link Weaver}s. Answers its id.
     * Members only.
     *
     * @throws ApplicationError when there is one
     */
    @Post()
    make(caller) { /** Not of a method. */ return caller; }
    @Get('silent')
    silent() { return 2 * 3 /* nothing */; }
    /** Keeps 2 * 3 looms */
    @Post('keep')
    keep() { }
    /** Answers no request. */
    private help() { }
}`;

it('The comments of a controller tell what its operations do', () => {
  expect(Object.fromEntries(summariesIn(source))).toEqual({
    LoomsController_list: { summary: 'Lists the looms', description: '' },
    LoomsController_make: {
      summary: 'Makes a loom for Weavers',
      description: 'Answers its id.\nMembers only.',
    },
    LoomsController_keep: { summary: 'Keeps 2 * 3 looms', description: '' },
  });
});

it('A comment that never ends takes no longer than its length', () => {
  expect(summariesIn(`/**${' *'.repeat(200_000)}`).size).toBe(0);
});

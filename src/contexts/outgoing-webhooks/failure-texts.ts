import { plainMarkdown } from '../../markdown/written-names.js';

/** Why a call failed. */
export interface CallFailure {
  /** A short description. */
  readonly reason: string;
  /** The response, for the owner only. */
  readonly answer?: string;
}

/** Code points of a response that the bot's owner is shown. */
const SHOWN_OF_ANSWER = 300;

/** What the person who wrote to the bot is told. */
export function textForWriter({ reason }: CallFailure): string {
  return `Failure! ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** What the bot's owner is told. */
export function textForOwner(messageId: number, botName: string, { reason, answer }: CallFailure): string {
  const shown = answer === undefined ? '' : [...answer].slice(0, SHOWN_OF_ANSWER).join('');
  return (
    `Message ${messageId} could not be sent to where your bot ${plainMarkdown(botName)} is: ${reason}.` +
    (shown.trim() === '' ? '' : ` The answer: ${plainMarkdown(shown)}`)
  );
}

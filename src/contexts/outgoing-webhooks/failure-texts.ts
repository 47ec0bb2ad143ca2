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

/** The notice to the person who wrote to the bot. */
export function textForWriter({ reason }: CallFailure): string {
  return `Failure! ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** The notice to the bot's owner. */
export function textForOwner(messageId: number, botName: string, { reason, answer }: CallFailure): string {
  const shown = answer === undefined ? '' : [...answer].slice(0, SHOWN_OF_ANSWER).join('');
  return (
    `Message ${messageId} could not be sent to where your bot ${plainMarkdown(botName)} is: ${reason}.` +
    (shown.trim() === '' ? '' : ` The answer: ${plainMarkdown(shown)}`)
  );
}

import { Buffer } from 'node:buffer';
import type { FastifyInstance } from 'fastify';

/** An image that clients expect at a fixed path. */
interface StaticImage {
  readonly contentType: 'image/png' | 'image/svg+xml';
  readonly bytes: Buffer;
}

/** Drawn for this project: 64 or 100 points wide and high, compressed as far as possible. */
const pngs = {
  'static/generated/emoji/images/emoji/unicode/zulip.png':
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAABrUlEQVR42u2bsUoEMRCG8yj3CPs8qbawTitXW1kd+Aj2V1+p' +
    '/XX3AmshQVAIoqcgSGSOFQ7cu82dm2SSfwLT73zJfFnIjFIBSxvbaGMX2tg7bazTxnqm4fpvpG9t1H+XNrbVxnaMEx4L+vb2' +
    'nMRnPUlfSVAuM3XCcXcVJb9fHk1I8r7yaI4dewcAwA2WQ2U1P+qEIdt7sGj3AXSAADok8R0WYv/XhApggSa/vzIEufoOXokK' +
    'OPldnA1guXpjFckBcFsCQACAAxhaq/t3TADbj29/dfOCeQLWm09/cflU1zVISYXs+u3yNZ0DUgUlRckdWw+PX35+/ZxWgrGD' +
    'jnHIzoeIrjgAJLCxXT9FdEUBoB2dWnRFAKAaplqOITr2AGKLji2AVKJjCSCl6NgBSC06NgByiY4FgJyiywqAg+iyAeAiuiwA' +
    'OIkuKQCOoksGgKvoogPgLrqoAEoQXTQApYhucgCliW5SACGi+935qt4GQ0VX5ctQiOiqBRAiOnkbFAACAA8AfItMTU1S8G1y' +
    '8I2S8K2y2M3S8O3yMjAhIzMyNCVjczI4KaOzMjwNOz7/A7Nu/IE2nN3fAAAAAElFTkSuQmCC',
  'static/images/unknown-user-avatar.png':
    'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAABw4pVUAAACeUlEQVR42u2cQUvDQBCF5///Gi960EM99FBBRVGkYEFFUUFE' +
    'RVSoh5UnKlJasHWz+5J8A3Op6TbJZ/a9nZ021ja2E+mTwU0ACAkQgJAAAQgJEICQAAEINwIgJEAAQgIEICRAAEICBCAkQMhu' +
    'ANkcjNL+4ThdXN2ku/uHNBt6TX/TMToWIA3lcHSQrm/v0rKh9+i9AMn4RMx7EpYNjdGGJ8YaiKad6fQ95QqNpTEBskJOzi5T' +
    'U6GxAWICwx1KOE5TpcJx+go3Ac+pGX/RFDehtwKSw02t4r4AsmCdUSuc1ik2QFZZ9OUKfTZAZrSjdrhoSfTNWbk7LgsgKgbW' +
    'Dp0DQCq6K1e3ZQHEJQACEIAABCCIOqKO7WVhyMKQ0gnFRYqLlN8BwgYVW7hs4dLkQBsQbUA0ytFKSispzdYA4esIfGEHICRA' +
    'AEICBCBFnNb49PxH0OetUfTat7Dr2DY5LHsg61vDT7eUY69EY2gsjQmQFayt/sObqPxqTI3taonDEUTJxgbK7wtS833JvZDf' +
    'T4w+GyBfORjupsen5+pNDjoHnUuvgeSu5nahGlwNSIlNqDbul1QB4tCp6NrJGMDwghLA8IJSDMjRySS1NXTunQJSsyuxbd2N' +
    'UaIe5WRt/2OJS9TBGgdSs4m6jU3ZjQLZ2TtOXQtdU2uBvLy+dQ6IrqmVQFSw62o0WYwMhNxL4IM1h9faJNAOLy0JnJWX4wrq' +
    'VV51rsgt5n2L3OIeTFde01YwXXlNW4G78nJbgX546Uiw5+G1VxLUrrxqW4Ggewl7NiAOvwpXK3L+Xko2IA7toLVC124HpO8B' +
    'EIAABCAAAQhAAILt7YXtZWGY5z5+AFos1CVU6ZJHAAAAAElFTkSuQmCC',
  'static/images/default-avatar.png':
    'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAABw4pVUAAAAuklEQVR42u3YUQ0AIAhAQaIagCh0xhRs6M7tFeB+wDhZrT2F' +
    'IQARECACAkRAgAgIEIMAIiBABASIgAARECACIiBABASIgADRvyCvPSBAgAABAgQIEGuvtVdAgAgIEAERECByqbvUgQABAgQI' +
    'ECC+3wUEiIAAERAgAgJEvt9d6kCAAAECBAgQIAICREAEBIiAABEQIAICREAEBIiAABEQIAICREAEBIiAABEQIAICREAEBIiA' +
    'ABEQIJrqAr7ngokdjiwtAAAAAElFTkSuQmCC',
  'static/images/errors/image-not-exist.png':
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAABIElEQVR42u2bQQqDMBBFvf8Bcgv32edCuYFloIXSVrE68yeQ' +
    'twgIosl7aJyZxKWUss3cFgQ8D9Z13VprUzRj/RJgJ3rvUzRjRQACEIAABCAAAQhAwF0BtdY0kKt9uwqwazMkWJ/W9xAC1BJe' +
    '8EMJUEl4hx9OQLSET/ghBURJ+AU/hIC9gXlK8O7DPQ6IlBBx75BAKGKgUWLDIkHPAUc+VaGhsMfAo+eV8FzgDoBiUpUkQ1dA' +
    'FPDSbPAfIBW8PB0+A6aET6kHHAGq4dMKInugavjUitAZCYqMMrUkdiRBVVNAAK8AkyCfQQIhQmGSIdJhCiKUxCiKUhZnYYSl' +
    'MRZHWR5ngwRbZNgkxTY5BCAAAQhAAAIQgIB5BUz/6yx/j0/aHhum2bXxyMyWAAAAAElFTkSuQmCC',
  'static/images/errors/image-no-auth.png':
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAABRklEQVR42u3brQ6DMBSG4d3/BaAwKBQGhUGhMCgUBoVBcQcs' +
    '37KQpmTL+ClZ6StOQuhp0/PAyHIIjyiK5pDjAcD7IMuyuaqqIEK1rgA0ME1TEKFaAQAAAAAAAAAAAAAAAAAAAAAAgOsA+r5f' +
    'mhJm6JzGbgug4sxOzKdQjmuIywHqut7cq9OcWwCUZbm7Yam5XgO0bbsqKo7jV2Fd1y15OtY5jdn5WsNLgHEcVwWlaToPw/Bx' +
    'jsaUY4NpLe8A7N99kiQ/FaIc5bp8HlwCYF/Jpml+nqtc+87xDsC++lvn23eBVwB6qJmbz/N88xqaY65hPjT/GkAbLYpi9efm' +
    'yOsrhdY8C8EpgLn42eFijwAAAAAAAAAAAAAAAAAAAAAAAAAAh0OtbXVuXMS3ljpvhwEAAAAAAAAAAAAAAAAAAPYABP/pLF+P' +
    'BxpPtRxSDbWlPDAAAAAASUVORK5CYII=',
} as const;

const svgs = {
  'static/images/loading/loader-black.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">' +
    '<circle cx="32" cy="32" r="24" fill="none" stroke="#000" stroke-width="6" stroke-dasharray="100 51"/></svg>',
  'static/images/logo/zulip-org-logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50" width="200" height="50">' +
    '<text x="8" y="34" font-family="serif" font-size="28" fill="#606c8c">Palimpsest</text></svg>',
} as const;

/** The images by path, without the leading slash: paths that clients know, or that our replies contain. */
export const staticImages: ReadonlyMap<string, StaticImage> = new Map<string, StaticImage>([
  ...Object.entries(pngs).map(
    ([path, base64]) => [path, { contentType: 'image/png', bytes: Buffer.from(base64, 'base64') }] as const,
  ),
  ...Object.entries(svgs).map(
    ([path, text]) => [path, { contentType: 'image/svg+xml', bytes: Buffer.from(text) }] as const,
  ),
]);

/** The avatar of people whom the viewer may not know. */
export const UNKNOWN_USER_AVATAR = '/static/images/unknown-user-avatar.png';

/** Seconds. */
const ONE_DAY = 86_400;

/** Serves the images that clients expect at fixed paths, outside the API and without authentication. */
export function registerStaticImages(fastify: FastifyInstance): void {
  for (const [path, { contentType, bytes }] of staticImages) {
    fastify.get(`/${path}`, (_request, reply) =>
      reply.header('cache-control', `public, max-age=${ONE_DAY}`).type(contentType).send(bytes),
    );
  }
}

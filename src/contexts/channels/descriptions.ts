import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { renderMarkdown } from '../../markdown/render.js';

/** Renders descriptions as HTML. Each text is rendered once, however often its channel is listed. */
@Injectable()
export class Descriptions {
  private readonly rendered = new LRUCache<string, string>({ max: 10_000 });

  /** @param description Markdown; names in it are not resolved */
  html(description: string): string {
    if (description === '') return '';
    let html = this.rendered.get(description);
    if (html === undefined) {
      html = renderMarkdown(description, {}).html;
      this.rendered.set(description, html);
    }
    return html;
  }
}

/** HTML whose inserted strings are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The tag of templates for HTML. Escapes inserted strings. */
export function renderHtml(
  parts: TemplateStringsArray,
  ...inserted: (string | Html | readonly Html[])[]
): Html {
  const texts = inserted.map((content) => [content].flat().map(escape).join(''));
  return new Html(String.raw({ raw: parts }, ...texts));
}

function escape(content: string | Html): string {
  return content instanceof Html
    ? content.text
    : content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

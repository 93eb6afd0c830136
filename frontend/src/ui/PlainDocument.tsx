// A text of several paragraphs, such as the terms of the shop. Blank lines part paragraphs, lines that begin with "# " are headings, and those
// with "- " are items of a list; nothing else is interpreted.
import s from './plain-document.module.css';

type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] };

const HEADING = /^#\s+/;
const ITEM = /^-\s+/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isParted = true;
  for (const line of text.split(/\r?\n/).map((line) => line.trimEnd())) {
    const last = isParted ? undefined : blocks.at(-1);
    isParted = line === '';
    if (isParted) continue;
    if (HEADING.test(line)) blocks.push({ kind: 'heading', text: line.replace(HEADING, '') });
    else if (ITEM.test(line)) {
      const item = line.replace(ITEM, '');
      if (last?.kind === 'list') last.items.push(item);
      else blocks.push({ kind: 'list', items: [item] });
    } else if (last?.kind === 'paragraph') last.text += `\n${line}`;
    else blocks.push({ kind: 'paragraph', text: line });
  }
  return blocks;
}

interface PlainDocumentProps {
  text: string;
  /** Language of the text, if it differs from the screen's. */
  lang?: string;
  /** The level of its headings. */
  level?: 2 | 3;
}

export function PlainDocument({ text, lang, level = 2 }: PlainDocumentProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className={s.document} lang={lang}>
      {blocksOf(text).map((block, index) => {
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
        if (block.kind === 'heading') return <Heading key={index}>{block.text}</Heading>;
        if (block.kind === 'paragraph') return <p key={index}>{block.text}</p>;
        return (
          <ul key={index}>
            {block.items.map((item, place) => (
              <li key={place}>{item}</li>
            ))}
          </ul>
        );
        // biome-ignore-end lint/suspicious/noArrayIndexKey: as above.
      })}
    </div>
  );
}

// A text in which backticks mark commands and values.
import { Fragment } from 'react';
import s from './system.module.css';

const CODE = /`([^`]+)`/;

/** A backtick without its partner, such as that of a cut message, stays as it is. */
export const CodedText = ({ text }: { text: string }) =>
  text.split(CODE).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    if (index % 2 === 0) return <Fragment key={index}>{part}</Fragment>;
    return (
      <code key={index} className={s.code}>
        {part}
      </code>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: see above.
  });

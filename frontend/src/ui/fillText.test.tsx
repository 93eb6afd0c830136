// Elements in texts.
import { render } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { fillText } from './fillText';

test.each([
  ['en', 'Renewal of $5.00 in 5 days'],
  ['zh', '5 天后续费 $5.00'],
])('elements are where the language has the placeholders: %s', async (language, whole) => {
  await i18next.changeLanguage(language);
  const time = <time>{language === 'zh' ? '5 天后' : 'in 5 days'}</time>;
  const { container } = render(
    <p>{fillText((marks) => i18next.t('welcome:figure.nextCharge', marks), { Amount: <b>$5.00</b>, Time: time })}</p>,
  );
  expect(container.textContent).toBe(whole);
  expect(container.querySelector('time')).toHaveTextContent(/5/);
  expect(container.querySelector('b')).toHaveTextContent('$5.00');
});

test('a text without the placeholder stays whole', () => {
  const { container } = render(<p>{fillText(() => 'Never', { Time: <time>now</time> })}</p>);
  expect(container.innerHTML).toBe('<p>Never</p>');
});

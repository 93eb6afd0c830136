// Search in the browser: how texts become words, and the texts of its window.
import type { DefaultTheme } from 'vitepress';
import { tokenize } from './tokens.mjs';

export const searchOptions: DefaultTheme.LocalSearchOptions = {
  locales: {
    zh: {
      translations: {
        button: { buttonText: '搜索', buttonAriaLabel: '搜索文档' },
        modal: {
          displayDetails: '显示详情',
          resetButtonTitle: '清除',
          backButtonTitle: '关闭搜索',
          noResultsText: '没有找到',
          footer: {
            selectText: '打开',
            selectKeyAriaLabel: '回车',
            navigateText: '选择',
            navigateUpKeyAriaLabel: '向上',
            navigateDownKeyAriaLabel: '向下',
            closeText: '关闭',
            closeKeyAriaLabel: 'Esc',
          },
        },
      },
    },
  },
};

// Not enumerable, so that it is not sent to the browser as text: the Content-Security-Policy forbids to make a function of it. The
// theme gives the browser the same function.
Object.defineProperty(searchOptions, 'miniSearch', { value: { options: { tokenize } }, enumerable: false });

// The default theme in the product's colours and font.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { tokenize } from '../tokens.mjs';
import ShopLinks from './ShopLinks';
import './theme.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app, siteData }) {
    app.component('ShopLinks', ShopLinks);
    // See search.ts.
    siteData.value.themeConfig.search.options.miniSearch = { options: { tokenize } };
  },
};

export default theme;

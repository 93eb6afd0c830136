// Menus and texts around the pages, by language. Operators' pages are in English only.
import type { DefaultTheme, LocaleSpecificConfig } from 'vitepress';

type Locale = LocaleSpecificConfig<DefaultTheme.Config>;

export const english: Locale = {
  description:
    'A self-hosted customer portal for sellers of proxies: how to try it, install it, sell with it and use it.',
  themeConfig: {
    nav: [{ component: 'ShopLinks' }],
    outline: { level: [2, 3] },
    notFound: {
      title: 'There is no such page',
      quote: 'The address may be mistyped, or the page has moved.',
      linkLabel: 'Go to the first page of the documentation',
      linkText: 'Go to the first page',
    },
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Try it', link: '/' },
          { text: 'Install', link: '/production' },
          { text: 'Open a shop', link: '/install' },
        ],
      },
      {
        text: 'Sell',
        items: [
          { text: 'Connect proxy servers', link: '/traffic' },
          { text: 'The gate', link: '/gate' },
          { text: 'Connect payments', link: '/payments' },
          { text: 'Write a payment gateway', link: '/gateway-of-your-own' },
        ],
      },
      {
        text: 'Operate',
        items: [
          { text: 'Settings', link: '/settings' },
          { text: 'Commands', link: '/commands' },
          { text: 'Containers', link: '/containers' },
          { text: 'Backups', link: '/backups' },
          { text: 'Monitoring', link: '/monitoring' },
          { text: 'Security', link: '/security' },
          { text: 'Support chat', link: '/support' },
          { text: 'Example files', link: '/files' },
          { text: 'Changelog', link: '/changelog' },
        ],
      },
      {
        text: 'Customers and developers',
        items: [
          { text: 'Use your proxies', link: '/proxies' },
          { text: 'API', link: '/api' },
          { text: 'Webhooks', link: '/webhooks' },
          { text: 'Rules as an npm package', link: '/wasm' },
        ],
      },
    ],
  },
};

export const chinese: Locale = {
  title: 'Postern 文档',
  description: '自托管的代理销售与客户门户：如何购买、使用代理，以及通过 API 和 Webhook 接入。',
  themeConfig: {
    nav: [{ component: 'ShopLinks' }],
    outline: { level: [2, 3], label: '本页目录' },
    sidebar: [
      {
        text: '使用',
        items: [
          { text: '概述', link: '/zh/' },
          { text: '使用代理', link: '/zh/proxies' },
        ],
      },
      {
        text: '开发',
        items: [
          { text: 'API', link: '/zh/api' },
          { text: 'Webhook', link: '/zh/webhooks' },
          { text: '规则 npm 包（英文）', link: '/wasm' },
        ],
      },
      {
        text: '经营店铺（英文）',
        collapsed: true,
        items: [
          { text: 'Try it', link: '/' },
          { text: 'Install', link: '/production' },
          { text: 'Open a shop', link: '/install' },
          { text: 'Connect proxy servers', link: '/traffic' },
          { text: 'Connect payments', link: '/payments' },
          { text: 'Write a payment gateway', link: '/gateway-of-your-own' },
        ],
      },
    ],
    docFooter: { prev: '上一页', next: '下一页' },
    darkModeSwitchLabel: '外观',
    lightModeSwitchTitle: '切换到浅色',
    darkModeSwitchTitle: '切换到深色',
    sidebarMenuLabel: '目录',
    returnToTopLabel: '回到顶部',
    langMenuLabel: '切换语言',
    skipToContentLabel: '跳到正文',
    notFound: {
      title: '页面不存在',
      quote: '地址可能有误，或页面已移走。',
      linkLabel: '返回文档首页',
      linkText: '返回首页',
    },
  },
};

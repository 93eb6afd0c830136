// Links that leave the site: to the API reference of the shop, and to the shop.
import { useData } from 'vitepress';
import { defineComponent, h } from 'vue';

const TEXTS = { en: ['API reference', 'Open the shop'], 'zh-CN': ['API 参考', '打开店铺'] };

export default defineComponent(() => {
  const { lang } = useData();
  const link = (href: string, text: string) => h('a', { class: 'shop-link', href, target: '_self' }, text);
  return () => {
    const [reference, shop] = TEXTS[lang.value as keyof typeof TEXTS] ?? TEXTS.en;
    return [link('/api/docs', reference), link('/', shop)];
  };
});

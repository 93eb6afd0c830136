// The language menu: in place of the default theme's, which assumes that every page exists in every language.
import { useData } from 'vitepress';
import { computed } from 'vue';

export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, hash, theme } = useData();
  const isEnglish = computed(() => localeIndex.value === 'root');
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: isEnglish.value ? '/' : '/zh/',
  }));
  const localeLinks = computed(() => {
    const name = page.value.relativePath.replace(/^zh\//, '');
    const other = isEnglish.value ? 'zh' : 'root';
    const exists = correspondingLink && (!isEnglish.value || theme.value.translated.includes(name));
    const path = exists ? name.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '') + hash.value : '';
    return [{ text: site.value.locales[other]?.label, link: `${isEnglish.value ? '/zh/' : '/'}${path}` }];
  });
  return { localeLinks, currentLang };
}

// Loads and opens another vendor's chat script, if the shop configures one. See docs/support.md.
import { currentLanguage } from '@/i18n';
import { useUserStore } from '@/stores/user';

interface VendorChat {
  open: (customer: { email: string; name: string; language: string }) => void;
}

const chatOf = (scope: object) => (scope as { posternChat?: VendorChat }).posternChat;

let loading: Promise<void> | undefined;

function load(address: string): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      loading = undefined;
      script.remove();
      reject(new Error('the script of the chat could not be loaded'));
    };
    document.head.append(script);
  });
  return loading;
}

export async function openVendorChat(address: string): Promise<void> {
  await load(address);
  const chat = chatOf(window);
  if (!chat) throw new Error('the script of the chat defines no posternChat');
  const { info, center } = useUserStore.getState();
  const name = center?.DisplayName ?? '';
  chat.open({ email: info?.Email ?? '', name, language: currentLanguage() });
}

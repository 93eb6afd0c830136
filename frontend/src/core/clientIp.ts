// The URL that sample requests fetch: it answers with the address it sees, which through a proxy is the exit.
import { API_BASE } from './constants.gen';

export const clientIpUrl = () => `${window.location.origin}${API_BASE}/SystemSettings/GetClientIp`;

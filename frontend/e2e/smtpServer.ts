// Minimal SMTP server (RFC 5321) that stores the emails it receives.
import { createServer, type Server, type Socket } from 'node:net';

export interface Mail {
  to: string;
  text: string;
}

export class SmtpServer {
  readonly mails: Mail[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<SmtpServer> {
    const server = createServer();
    const opened = new SmtpServer(server);
    server.on('connection', (socket) => opened.receive(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return opened;
  }

  get url(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('the mail server is closed');
    return `smtp://127.0.0.1:${address.port}`;
  }

  /** The newest email to an address, once it has arrived. */
  async mailTo(to: string): Promise<string> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const found = this.mails.findLast((mail) => mail.to === to);
      if (found) return found.text;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`no mail to ${to}`);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  private receive(socket: Socket): void {
    this.sockets.add(socket);
    let unread = '';
    let to = '';
    let lines: string[] | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const hear = (line: string) => {
      if (lines) {
        if (line !== '.') {
          // Undoes dot-stuffing.
          lines.push(line.startsWith('.') ? line.slice(1) : line);
          return;
        }
        this.mails.push({ to, text: decoded(lines) });
        lines = undefined;
        say('250 kept');
        return;
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'EHLO') socket.write('250-localhost\r\n250 8BITMIME\r\n');
      else if (command === 'RCPT') {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        say('250 fine');
      } else if (command === 'DATA') {
        lines = [];
        say('354 go on');
      } else if (command === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 fine');
    };
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const parts = (unread + text).split('\r\n');
      unread = parts.pop() ?? '';
      for (const line of parts) hear(line);
    });
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    say('220 localhost');
  }
}

/** Plain text of an email: the first part of a multipart/alternative, decoded. */
function decoded(lines: string[]): string {
  const end = lines.indexOf('');
  const head = lines.slice(0, end).join('\n');
  const body = lines.slice(end + 1);
  const boundary = /^Content-Type: multipart\/[^;]+;\s+boundary="([^"]+)"/im.exec(head)?.[1];
  if (boundary) {
    const start = body.indexOf(`--${boundary}`) + 1;
    return decoded(body.slice(start, body.indexOf(`--${boundary}`, start)));
  }
  if (/^Content-Transfer-Encoding: base64/im.test(head)) return Buffer.from(body.join(''), 'base64').toString();
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(head)) return body.join('\n');
  const bytes = body
    .join('\n')
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

// Sample commands for a proxy. They ask the shop for the exit address.
import { type Endpoint, screenRules } from '@/core';

export interface Snippet {
  key: string;
  /** A name that is the same in every language. */
  label: string;
  text: string;
}

/** A string literal for JavaScript, Python, Go, Java and C#. */
const quoted = (text: string) => JSON.stringify(text);
/** A URL as an argument, for POSIX shells and for Windows: a percent-encoded URL has nothing that either would replace. */
const shell = (url: string) => `"${url}"`;
/** A PHP string literal without variable interpolation. */
const php = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Without credentials, access is by IP whitelist. */
export function snippetsOf(endpoint: Endpoint, hasPassword: boolean, target: string): Snippet[] {
  const { Scheme: scheme, Host: host, Port: port, UserName: user, Password: password } = endpoint;
  const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const url = hasPassword ? screenRules().formatEndpoints([endpoint], 'url') : `${scheme}://${place}`;
  const isSocks = scheme === 'socks5';
  return [
    { key: 'curl', label: 'curl', text: `curl -x ${shell(url)} ${shell(target)}` },
    {
      key: 'python',
      label: 'Python',
      text: [
        isSocks ? '# pip install "requests[socks]"' : '# pip install requests',
        'import requests',
        '',
        `proxy = ${quoted(url)}`,
        `answer = requests.get(${quoted(target)}, proxies={"http": proxy, "https": proxy}, timeout=30)`,
        'print(answer.text)',
      ].join('\n'),
    },
    {
      key: 'node',
      label: 'Node',
      text: isSocks
        ? [
            '// npm install socks-proxy-agent node-fetch',
            "import fetch from 'node-fetch';",
            "import { SocksProxyAgent } from 'socks-proxy-agent';",
            '',
            `const agent = new SocksProxyAgent(${quoted(url)});`,
            `const answer = await fetch(${quoted(target)}, { agent });`,
            'console.log(await answer.text());',
          ].join('\n')
        : [
            '// npm install undici',
            "import { fetch, ProxyAgent } from 'undici';",
            '',
            `const dispatcher = new ProxyAgent(${quoted(url)});`,
            `const answer = await fetch(${quoted(target)}, { dispatcher });`,
            'console.log(await answer.text());',
          ].join('\n'),
    },
    {
      key: 'go',
      label: 'Go',
      text: [
        'package main',
        '',
        'import (',
        '\t"io"',
        '\t"log"',
        '\t"net/http"',
        '\t"net/url"',
        '\t"os"',
        ')',
        '',
        'func main() {',
        `\tproxy, err := url.Parse(${quoted(url)})`,
        '\tif err != nil {',
        '\t\tlog.Fatal(err)',
        '\t}',
        '\tclient := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}',
        `\tanswer, err := client.Get(${quoted(target)})`,
        '\tif err != nil {',
        '\t\tlog.Fatal(err)',
        '\t}',
        '\tdefer answer.Body.Close()',
        '\tio.Copy(os.Stdout, answer.Body)',
        '}',
      ].join('\n'),
    },
    {
      key: 'java',
      label: 'Java',
      text: [
        'import java.net.*;',
        ...(isSocks ? [] : ['import java.net.http.*;']),
        '',
        'public class Main {',
        '  public static void main(String[] args) throws Exception {',
        ...(hasPassword
          ? [
              ...(isSocks
                ? []
                : [
                    '    // Java sends no password to a proxy for HTTPS unless this is empty.',
                    '    System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");',
                  ]),
              '    Authenticator password = new Authenticator() {',
              '      protected PasswordAuthentication getPasswordAuthentication() {',
              `        return new PasswordAuthentication(${quoted(user)}, ${quoted(password)}.toCharArray());`,
              '      }',
              '    };',
            ]
          : []),
        ...(isSocks
          ? [
              ...(hasPassword ? ['    Authenticator.setDefault(password);'] : []),
              `    Proxy proxy = new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(${quoted(host)}, ${port}));`,
              `    try (var answer = new URL(${quoted(target)}).openConnection(proxy).getInputStream()) {`,
              '      answer.transferTo(System.out);',
              '    }',
            ]
          : [
              '    HttpClient client = HttpClient.newBuilder()',
              `        .proxy(ProxySelector.of(new InetSocketAddress(${quoted(host)}, ${port})))`,
              ...(hasPassword ? ['        .authenticator(password)'] : []),
              '        .build();',
              `    HttpRequest request = HttpRequest.newBuilder(URI.create(${quoted(target)})).build();`,
              '    System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());',
            ]),
        '  }',
        '}',
      ].join('\n'),
    },
    {
      key: 'csharp',
      label: 'C#',
      text: [
        'using System.Net;',
        '',
        `var proxy = new WebProxy(${quoted(`${scheme}://${place}`)})`,
        '{',
        ...(hasPassword ? [`    Credentials = new NetworkCredential(${quoted(user)}, ${quoted(password)}),`] : []),
        '};',
        'using var client = new HttpClient(new HttpClientHandler { Proxy = proxy });',
        `Console.WriteLine(await client.GetStringAsync(${quoted(target)}));`,
      ].join('\n'),
    },
    {
      key: 'php',
      label: 'PHP',
      text: [
        '<?php',
        `$request = curl_init(${php(target)});`,
        `curl_setopt($request, CURLOPT_PROXY, ${php(`${isSocks ? 'socks5h' : scheme}://${place}`)});`,
        ...(hasPassword
          ? [
              `curl_setopt($request, CURLOPT_PROXYUSERNAME, ${php(user)});`,
              `curl_setopt($request, CURLOPT_PROXYPASSWORD, ${php(password)});`,
            ]
          : []),
        'curl_setopt($request, CURLOPT_RETURNTRANSFER, true);',
        'echo curl_exec($request);',
      ].join('\n'),
    },
  ];
}

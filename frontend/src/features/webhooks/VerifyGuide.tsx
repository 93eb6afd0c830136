// How to verify a request, in three programming languages.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WEBHOOK_MAX_ATTEMPTS, WEBHOOK_TIMEOUT_SECONDS } from '@/core/constants.gen';
import { SegmentedControl } from '@/ui/Controls';
import { CodeBlock } from '@/ui/CopyButton';
import { docsUrl } from '@/ui/docs';
import s from './webhooks.module.css';

const CODE = {
  'Node.js': `// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  const chunks = await request.toArray();
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    console.log(event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(3000);`,
  Python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
app = Flask(__name__)

@app.post("/postern")
def postern():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(event["type"], event["data"])
    return "", 204`,
  Go: `// go get github.com/standard-webhooks/standard-webhooks/libraries
package main

import (
	"io"
	"net/http"
	"os"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := webhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("POST /postern", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	http.ListenAndServe(":3000", nil)
}`,
} as const;

type Program = keyof typeof CODE;

export function VerifyGuide() {
  const { t } = useTranslation('webhooks');
  const [program, setProgram] = useState<Program>('Node.js');
  return (
    <div className={s.form}>
      <p>{t('verify.lead', { Seconds: WEBHOOK_TIMEOUT_SECONDS, Attempts: WEBHOOK_MAX_ATTEMPTS })}</p>
      <div className={s.guideHead}>
        <SegmentedControl<Program>
          label={t('verify.language')}
          value={program}
          segments={(Object.keys(CODE) as Program[]).map((name) => ({ value: name, label: name }))}
          onChange={setProgram}
        />
        <span className={s.links}>
          <a href={docsUrl('webhooks')} target="_blank" rel="noreferrer">
            {t('verify.guide')}
          </a>
          <a href="https://www.standardwebhooks.com/" target="_blank" rel="noreferrer">
            {t('verify.spec')}
          </a>
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {t('verify.reference')}
          </a>
        </span>
      </div>
      <CodeBlock text={CODE[program]} label={t('verify.code', { Language: program })} copyLabel={t('verify.copy')} />
    </div>
  );
}

import { execFileSync } from 'node:child_process'; import { readFileSync, writeFileSync } from 'node:fs'; import { join } from 'node:path';
import { release, root, withShop, BROWSER_ARGUMENTS, executablePath, text } from './shop.mjs';
import lighthouse from 'lighthouse'; import desktop from 'lighthouse/core/config/desktop-config.js'; import puppeteer from 'puppeteer-core';
const paths=(process.argv[2]??'/welcome/products').split(','); const form=process.argv[3]??'mobile'; const runs=Number(process.argv[4]??1);
const fill=(folder,env)=>{execFileSync(join(release,'postern'),['demo'],{cwd:root,env,stdio:'ignore'});return {email:'customer@example.com',password:JSON.parse(readFileSync(join(folder,'demo-accounts.json'),'utf8'))['customer@example.com']}};
await withShop(fill, async (url,{email,password})=>{
 const browser=await puppeteer.launch({executablePath,args:BROWSER_ARGUMENTS,headless:true});
 const page=await browser.newPage(); await page.goto(`${url}/login?lang=en`);
 const type=async(l,v)=>(await page.waitForSelector(`aria/${text('auth',l)}[role="textbox"]`)).type(v); await type('email',email); await type('password',password); await page.keyboard.press('Enter'); await page.waitForFunction(()=>location.pathname!=='/login'); const kept=await page.evaluate(()=>Object.entries(localStorage)); await page.close();
 for (const path of paths) for (let i=0;i<runs;i++){
  const ctx=await browser.createBrowserContext(); const p=await ctx.newPage(); await p.evaluateOnNewDocument((es)=>{for(const[k,v]of es)localStorage.setItem(k,v)},kept);
  const {lhr,artifacts}=await lighthouse(url+path,{logLevel:'error',onlyCategories:['performance']},form==='desktop'?desktop:undefined,p);
  const m=lhr.audits.metrics.details.items[0]; const pick=['firstContentfulPaint','largestContentfulPaint','speedIndex','totalBlockingTime','cumulativeLayoutShift','observedFirstContentfulPaint','observedLargestContentfulPaint','observedSpeedIndex'];
  console.log(path,form,lhr.categories.performance.score,Object.fromEntries(pick.map(k=>[k,Math.round(m[k]*1000)/1000])));
  const lcp=lhr.audits['lcp-breakdown-insight']?.details??lhr.audits['largest-contentful-paint-element']?.details; console.log(JSON.stringify(lcp?.items?.map?.(x=>x.nodeLabel??x.snippet??x.selector??x.items?.map(y=>[y.node?.snippet,y.label,y.duration]))).slice(0,600));
  if(i===0 && process.env.NET) for(const r of lhr.audits['network-requests'].details.items) console.log(Math.round(r.networkRequestTime),Math.round(r.networkEndTime),r.transferSize,r.priority,r.url.replace(url,'').slice(0,90));
  if(i===0 && process.env.TASKS) for(const r of lhr.audits['long-tasks'].details.items) console.log('task',Math.round(r.startTime),Math.round(r.duration),r.url.replace(url,'').slice(0,60));
  await ctx.close(); }
 await browser.close();
}); process.exit();

// A web server that keeps a text for each path: web.mjs <port> <address>
import { createServer } from 'node:http';

const texts = new Map();
createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    if (request.method === 'PUT') {
      texts.set(request.url, body);
      response.writeHead(204).end();
    } else if (request.url === '/chunks') {
      response.write('one');
      setTimeout(() => response.end('two'), 5);
    } else response.end(texts.get(request.url) ?? 'nothing');
  });
}).listen(Number(process.argv[2]), process.argv[3]);

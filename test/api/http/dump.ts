import { openApiDocument } from '../../../api/http/docs/openapi.js';
import { allRoutes } from '../../../api/routes.js';
const d = openApiDocument(allRoutes) as any;
console.log(JSON.stringify(d.paths['/api/billing/remittances/'].get, null, 1).slice(0, 4500));
console.log(JSON.stringify(d.paths['/api/billing/remittances/'].post.requestBody, null, 1));
console.log(Object.keys(d.components.schemas), JSON.stringify(d.components.schemas.RemittanceCreate), JSON.stringify(d.components.schemas.RemittanceSummary).slice(0,600));
console.log(Object.values(d.paths).flatMap((p:any)=>Object.values(p).map((o:any)=>o.operationId)));

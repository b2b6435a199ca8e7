// Made from contract/schema/pacto-2.0.schema.json by tools/pacto-validator.ts. Change the schema and run `make generate`.
// biome-ignore-all format: generated code
/* oxlint-disable */
// @ts-nocheck

export const validatePacto = validate20;
const schema31 = {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Pacto service contract 2.0","description":"What a service promises: its interfaces, configuration, dependencies, workload, state, capabilities and readiness.","type":"object","additionalProperties":false,"required":["pactoVersion","service"],"properties":{"pactoVersion":{"description":"Version of the contract language, as a string.","type":"string","enum":["2.0"]},"service":{"description":"Identity of the service.","type":"object","additionalProperties":false,"required":["name","version"],"properties":{"name":{"type":"string","description":"Name in the manner of DNS labels.","pattern":"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"},"version":{"type":"string","description":"Semantic version of the contract.","minLength":1,"pattern":"^[^/\\\\]*$","not":{"enum":[".",".."]}},"owner":{"type":"object","additionalProperties":false,"minProperties":1,"properties":{"team":{"type":"string","minLength":1,"pattern":"^[a-zA-Z0-9._/-]+$"},"dri":{"type":"string","description":"Directly responsible individual.","minLength":1,"pattern":"^[a-zA-Z0-9._@/-]+$"},"contacts":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["type","value"],"properties":{"type":{"type":"string","enum":["email","url","group","oncall","chat","other"]},"value":{"type":"string","minLength":1},"purpose":{"type":"string","enum":["ownership","support","escalation","oncall","notifications"]}}}}}}}},"interfaces":{"description":"Network interfaces.","type":"array","items":{"type":"object","additionalProperties":false,"required":["name","type","ref"],"properties":{"name":{"type":"string","minLength":1},"type":{"type":"string","description":"Kind of the specification.","enum":["openapi","asyncapi","grpc"]},"ref":{"type":"string","description":"Path of the specification file in the bundle.","minLength":1},"visibility":{"type":"string","description":"Intended exposure; internal when left out.","enum":["public","internal"]}}}},"configurations":{"description":"Named configuration scopes.","type":"array","items":{"type":"object","additionalProperties":false,"required":["name","required"],"properties":{"name":{"type":"string","minLength":1},"required":{"description":"Whether its absence is a violation.","type":"boolean"},"schema":{"type":"string","description":"Path of a JSON Schema in the bundle.","minLength":1},"ref":{"type":"string","description":"Contract that owns the schema.","minLength":1},"values":{"description":"Declared values; only beside schema.","type":"object"}},"oneOf":[{"required":["schema"],"not":{"required":["ref"]}},{"required":["ref"],"not":{"anyOf":[{"required":["schema"]},{"required":["values"]}]}}]}},"policies":{"description":"Constraints the contract is held to.","type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":1},"schema":{"type":"string","description":"Path of a JSON Schema in the bundle.","minLength":1},"ref":{"type":"string","description":"Contract that owns the policy.","minLength":1},"target":{"type":"string","enum":["contract"]}},"oneOf":[{"required":["schema"],"not":{"required":["ref"]}},{"required":["ref"],"not":{"required":["schema"]}}]}},"dependencies":{"description":"Services this one needs.","type":"array","items":{"type":"object","additionalProperties":false,"required":["name","ref","required","compatibility"],"properties":{"name":{"type":"string","minLength":1},"ref":{"type":"string","description":"oci://…, file://… or a path.","minLength":1},"required":{"type":"boolean"},"compatibility":{"type":"string","description":"Range of accepted versions.","minLength":1}}}},"workload":{"type":"string","description":"How the service runs.","enum":["service","job","scheduled"]},"state":{"type":"object","additionalProperties":false,"required":["type","persistence","dataCriticality"],"properties":{"type":{"type":"string","enum":["stateless","stateful","hybrid"]},"persistence":{"type":"object","additionalProperties":false,"required":["scope","durability"],"properties":{"scope":{"type":"string","enum":["local","shared"]},"durability":{"type":"string","enum":["ephemeral","persistent"]}}},"dataCriticality":{"type":"string","enum":["low","medium","high"]}},"if":{"properties":{"type":{"const":"stateless"}}},"then":{"properties":{"persistence":{"properties":{"durability":{"const":"ephemeral"}}}}}},"capabilities":{"description":"What the service offers to operators.","type":"array","items":{"type":"object","additionalProperties":false,"required":["type"],"properties":{"type":{"type":"string","enum":["health","metrics","extension"]},"ref":{"type":"string","description":"Namespaced identity of an extension.","minLength":1},"binding":{"type":"object","additionalProperties":false,"required":["type","interface"],"properties":{"type":{"type":"string","enum":["http"]},"interface":{"type":"string","description":"Name of a declared interface.","minLength":1},"path":{"type":"string","minLength":1,"pattern":"^/([^/][^\\n]*)?$"}}}},"oneOf":[{"properties":{"type":{"enum":["health","metrics"]}},"not":{"required":["ref"]}},{"properties":{"type":{"const":"extension"}},"required":["ref"],"not":{"required":["binding"]}}]}},"readiness":{"description":"Self-assessment with evidence.","type":"object","additionalProperties":false,"required":["expires","claims"],"properties":{"expires":{"type":"string","description":"Last valid day, YYYY-MM-DD.","format":"date"},"minScore":{"type":"integer","minimum":0,"maximum":100,"default":100},"partialCredit":{"type":"number","minimum":0,"maximum":1,"default":0.5},"history":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["date","version","author","description"],"properties":{"date":{"type":"string","format":"date"},"version":{"type":"string","minLength":1},"author":{"type":"string","minLength":1},"description":{"type":"string","minLength":1}}}},"claims":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["id","type","status","evidence","weight"],"properties":{"id":{"type":"string","minLength":1,"pattern":"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$"},"type":{"type":"string","enum":["url","document","ticket","report","artifact","identifier","other"]},"category":{"type":"string","enum":["architecture","testing","code-quality","observability","security","documentation","infrastructure","ci-cd","deployment","resilience","backup-recovery","incident-response","compliance","other"]},"status":{"type":"string","enum":["done","partial","not-done","deferred"]},"evidence":{"type":"string","minLength":1,"maxLength":2048},"weight":{"type":"integer","minimum":0,"maximum":100},"description":{"type":"string","minLength":1}}}}}},"metadata":{"description":"Free-form organisational data.","type":"object"},"extensions":{"description":"Free-form extension data.","type":"object"}}};
const func0 = Object.prototype.hasOwnProperty;
const func69 = (text) => [...text].length;
const pattern4 = new RegExp("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "u");
const pattern5 = new RegExp("^[^/\\\\]*$", "u");
const pattern6 = new RegExp("^[a-zA-Z0-9._/-]+$", "u");
const pattern7 = new RegExp("^[a-zA-Z0-9._@/-]+$", "u");
const pattern8 = new RegExp("^/([^/][^\\n]*)?$", "u");
const pattern9 = new RegExp("^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if((data.pactoVersion === undefined) || (!(func0.call(data, "pactoVersion")))){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pactoVersion"},message:"must have required property '"+"pactoVersion"+"'",schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if((data.service === undefined) || (!(func0.call(data, "service")))){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "service"},message:"must have required property '"+"service"+"'",schema:schema31.required,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 of Object.keys(data)){
if(!(func0.call(schema31.properties, key0))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties",schema:false,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.pactoVersion !== undefined && func0.call(data, "pactoVersion")){
let data0 = data.pactoVersion;
if(typeof data0 !== "string"){
const err3 = {instancePath:instancePath+"/pactoVersion",schemaPath:"#/properties/pactoVersion/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.pactoVersion.type,parentSchema:schema31.properties.pactoVersion,data:data0};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!(data0 === "2.0")){
const err4 = {instancePath:instancePath+"/pactoVersion",schemaPath:"#/properties/pactoVersion/enum",keyword:"enum",params:{allowedValues: schema31.properties.pactoVersion.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.pactoVersion.enum,parentSchema:schema31.properties.pactoVersion,data:data0};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.service !== undefined && func0.call(data, "service")){
let data1 = data.service;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if((data1.name === undefined) || (!(func0.call(data1, "name")))){
const err5 = {instancePath:instancePath+"/service",schemaPath:"#/properties/service/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema31.properties.service.required,parentSchema:schema31.properties.service,data:data1};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if((data1.version === undefined) || (!(func0.call(data1, "version")))){
const err6 = {instancePath:instancePath+"/service",schemaPath:"#/properties/service/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'",schema:schema31.properties.service.required,parentSchema:schema31.properties.service,data:data1};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
for(const key1 of Object.keys(data1)){
if(!(((key1 === "name") || (key1 === "version")) || (key1 === "owner"))){
const err7 = {instancePath:instancePath+"/service",schemaPath:"#/properties/service/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.service,data:data1};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.name !== undefined && func0.call(data1, "name")){
let data2 = data1.name;
if(typeof data2 === "string"){
if(!pattern4.test(data2)){
const err8 = {instancePath:instancePath+"/service/name",schemaPath:"#/properties/service/properties/name/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"+"\"",schema:"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",parentSchema:schema31.properties.service.properties.name,data:data2};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/service/name",schemaPath:"#/properties/service/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.name.type,parentSchema:schema31.properties.service.properties.name,data:data2};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.version !== undefined && func0.call(data1, "version")){
let data3 = data1.version;
const _errs11 = errors;
const _errs12 = errors;
if(!((data3 === ".") || (data3 === ".."))){
const err10 = {};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var valid2 = _errs12 === errors;
if(valid2){
const err11 = {instancePath:instancePath+"/service/version",schemaPath:"#/properties/service/properties/version/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.service.properties.version.not,parentSchema:schema31.properties.service.properties.version,data:data3};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
else {
errors = _errs11;
if(vErrors !== null){
if(_errs11){
vErrors.length = _errs11;
}
else {
vErrors = null;
}
}
}
if(typeof data3 === "string"){
if(func69(data3) < 1){
const err12 = {instancePath:instancePath+"/service/version",schemaPath:"#/properties/service/properties/version/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.service.properties.version,data:data3};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(!pattern5.test(data3)){
const err13 = {instancePath:instancePath+"/service/version",schemaPath:"#/properties/service/properties/version/pattern",keyword:"pattern",params:{pattern: "^[^/\\\\]*$"},message:"must match pattern \""+"^[^/\\\\]*$"+"\"",schema:"^[^/\\\\]*$",parentSchema:schema31.properties.service.properties.version,data:data3};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/service/version",schemaPath:"#/properties/service/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.version.type,parentSchema:schema31.properties.service.properties.version,data:data3};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data1.owner !== undefined && func0.call(data1, "owner")){
let data4 = data1.owner;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(Object.keys(data4).length < 1){
const err15 = {instancePath:instancePath+"/service/owner",schemaPath:"#/properties/service/properties/owner/minProperties",keyword:"minProperties",params:{limit: 1},message:"must NOT have fewer than 1 properties",schema:1,parentSchema:schema31.properties.service.properties.owner,data:data4};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
for(const key2 of Object.keys(data4)){
if(!(((key2 === "team") || (key2 === "dri")) || (key2 === "contacts"))){
const err16 = {instancePath:instancePath+"/service/owner",schemaPath:"#/properties/service/properties/owner/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.service.properties.owner,data:data4};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.team !== undefined && func0.call(data4, "team")){
let data5 = data4.team;
if(typeof data5 === "string"){
if(func69(data5) < 1){
const err17 = {instancePath:instancePath+"/service/owner/team",schemaPath:"#/properties/service/properties/owner/properties/team/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.service.properties.owner.properties.team,data:data5};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!pattern6.test(data5)){
const err18 = {instancePath:instancePath+"/service/owner/team",schemaPath:"#/properties/service/properties/owner/properties/team/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z0-9._/-]+$"},message:"must match pattern \""+"^[a-zA-Z0-9._/-]+$"+"\"",schema:"^[a-zA-Z0-9._/-]+$",parentSchema:schema31.properties.service.properties.owner.properties.team,data:data5};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/service/owner/team",schemaPath:"#/properties/service/properties/owner/properties/team/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.owner.properties.team.type,parentSchema:schema31.properties.service.properties.owner.properties.team,data:data5};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data4.dri !== undefined && func0.call(data4, "dri")){
let data6 = data4.dri;
if(typeof data6 === "string"){
if(func69(data6) < 1){
const err20 = {instancePath:instancePath+"/service/owner/dri",schemaPath:"#/properties/service/properties/owner/properties/dri/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.service.properties.owner.properties.dri,data:data6};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!pattern7.test(data6)){
const err21 = {instancePath:instancePath+"/service/owner/dri",schemaPath:"#/properties/service/properties/owner/properties/dri/pattern",keyword:"pattern",params:{pattern: "^[a-zA-Z0-9._@/-]+$"},message:"must match pattern \""+"^[a-zA-Z0-9._@/-]+$"+"\"",schema:"^[a-zA-Z0-9._@/-]+$",parentSchema:schema31.properties.service.properties.owner.properties.dri,data:data6};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/service/owner/dri",schemaPath:"#/properties/service/properties/owner/properties/dri/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.owner.properties.dri.type,parentSchema:schema31.properties.service.properties.owner.properties.dri,data:data6};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data4.contacts !== undefined && func0.call(data4, "contacts")){
let data7 = data4.contacts;
if(Array.isArray(data7)){
if(data7.length < 1){
const err23 = {instancePath:instancePath+"/service/owner/contacts",schemaPath:"#/properties/service/properties/owner/properties/contacts/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema31.properties.service.properties.owner.properties.contacts,data:data7};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
const len0 = data7.length;
for(let i0=0; i0<len0; i0++){
let data8 = data7[i0];
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if((data8.type === undefined) || (!(func0.call(data8, "type")))){
const err24 = {instancePath:instancePath+"/service/owner/contacts/" + i0,schemaPath:"#/properties/service/properties/owner/properties/contacts/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.service.properties.owner.properties.contacts.items.required,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items,data:data8};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if((data8.value === undefined) || (!(func0.call(data8, "value")))){
const err25 = {instancePath:instancePath+"/service/owner/contacts/" + i0,schemaPath:"#/properties/service/properties/owner/properties/contacts/items/required",keyword:"required",params:{missingProperty: "value"},message:"must have required property '"+"value"+"'",schema:schema31.properties.service.properties.owner.properties.contacts.items.required,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items,data:data8};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
for(const key3 of Object.keys(data8)){
if(!(((key3 === "type") || (key3 === "value")) || (key3 === "purpose"))){
const err26 = {instancePath:instancePath+"/service/owner/contacts/" + i0,schemaPath:"#/properties/service/properties/owner/properties/contacts/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items,data:data8};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data8.type !== undefined && func0.call(data8, "type")){
let data9 = data8.type;
if(typeof data9 !== "string"){
const err27 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/type",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.owner.properties.contacts.items.properties.type.type,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.type,data:data9};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!((((((data9 === "email") || (data9 === "url")) || (data9 === "group")) || (data9 === "oncall")) || (data9 === "chat")) || (data9 === "other"))){
const err28 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/type",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.service.properties.owner.properties.contacts.items.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.service.properties.owner.properties.contacts.items.properties.type.enum,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.type,data:data9};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data8.value !== undefined && func0.call(data8, "value")){
let data10 = data8.value;
if(typeof data10 === "string"){
if(func69(data10) < 1){
const err29 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/value",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/value/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.value,data:data10};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/value",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.owner.properties.contacts.items.properties.value.type,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.value,data:data10};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data8.purpose !== undefined && func0.call(data8, "purpose")){
let data11 = data8.purpose;
if(typeof data11 !== "string"){
const err31 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/purpose",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/purpose/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.service.properties.owner.properties.contacts.items.properties.purpose.type,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.purpose,data:data11};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(!(((((data11 === "ownership") || (data11 === "support")) || (data11 === "escalation")) || (data11 === "oncall")) || (data11 === "notifications"))){
const err32 = {instancePath:instancePath+"/service/owner/contacts/" + i0+"/purpose",schemaPath:"#/properties/service/properties/owner/properties/contacts/items/properties/purpose/enum",keyword:"enum",params:{allowedValues: schema31.properties.service.properties.owner.properties.contacts.items.properties.purpose.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.service.properties.owner.properties.contacts.items.properties.purpose.enum,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items.properties.purpose,data:data11};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath:instancePath+"/service/owner/contacts/" + i0,schemaPath:"#/properties/service/properties/owner/properties/contacts/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.service.properties.owner.properties.contacts.items.type,parentSchema:schema31.properties.service.properties.owner.properties.contacts.items,data:data8};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/service/owner/contacts",schemaPath:"#/properties/service/properties/owner/properties/contacts/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.service.properties.owner.properties.contacts.type,parentSchema:schema31.properties.service.properties.owner.properties.contacts,data:data7};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath:instancePath+"/service/owner",schemaPath:"#/properties/service/properties/owner/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.service.properties.owner.type,parentSchema:schema31.properties.service.properties.owner,data:data4};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/service",schemaPath:"#/properties/service/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.service.type,parentSchema:schema31.properties.service,data:data1};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data.interfaces !== undefined && func0.call(data, "interfaces")){
let data12 = data.interfaces;
if(Array.isArray(data12)){
const len1 = data12.length;
for(let i1=0; i1<len1; i1++){
let data13 = data12[i1];
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if((data13.name === undefined) || (!(func0.call(data13, "name")))){
const err37 = {instancePath:instancePath+"/interfaces/" + i1,schemaPath:"#/properties/interfaces/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema31.properties.interfaces.items.required,parentSchema:schema31.properties.interfaces.items,data:data13};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if((data13.type === undefined) || (!(func0.call(data13, "type")))){
const err38 = {instancePath:instancePath+"/interfaces/" + i1,schemaPath:"#/properties/interfaces/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.interfaces.items.required,parentSchema:schema31.properties.interfaces.items,data:data13};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if((data13.ref === undefined) || (!(func0.call(data13, "ref")))){
const err39 = {instancePath:instancePath+"/interfaces/" + i1,schemaPath:"#/properties/interfaces/items/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'",schema:schema31.properties.interfaces.items.required,parentSchema:schema31.properties.interfaces.items,data:data13};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
for(const key4 of Object.keys(data13)){
if(!((((key4 === "name") || (key4 === "type")) || (key4 === "ref")) || (key4 === "visibility"))){
const err40 = {instancePath:instancePath+"/interfaces/" + i1,schemaPath:"#/properties/interfaces/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.interfaces.items,data:data13};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data13.name !== undefined && func0.call(data13, "name")){
let data14 = data13.name;
if(typeof data14 === "string"){
if(func69(data14) < 1){
const err41 = {instancePath:instancePath+"/interfaces/" + i1+"/name",schemaPath:"#/properties/interfaces/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.interfaces.items.properties.name,data:data14};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
else {
const err42 = {instancePath:instancePath+"/interfaces/" + i1+"/name",schemaPath:"#/properties/interfaces/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.interfaces.items.properties.name.type,parentSchema:schema31.properties.interfaces.items.properties.name,data:data14};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data13.type !== undefined && func0.call(data13, "type")){
let data15 = data13.type;
if(typeof data15 !== "string"){
const err43 = {instancePath:instancePath+"/interfaces/" + i1+"/type",schemaPath:"#/properties/interfaces/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.interfaces.items.properties.type.type,parentSchema:schema31.properties.interfaces.items.properties.type,data:data15};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(!(((data15 === "openapi") || (data15 === "asyncapi")) || (data15 === "grpc"))){
const err44 = {instancePath:instancePath+"/interfaces/" + i1+"/type",schemaPath:"#/properties/interfaces/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.interfaces.items.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.interfaces.items.properties.type.enum,parentSchema:schema31.properties.interfaces.items.properties.type,data:data15};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data13.ref !== undefined && func0.call(data13, "ref")){
let data16 = data13.ref;
if(typeof data16 === "string"){
if(func69(data16) < 1){
const err45 = {instancePath:instancePath+"/interfaces/" + i1+"/ref",schemaPath:"#/properties/interfaces/items/properties/ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.interfaces.items.properties.ref,data:data16};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/interfaces/" + i1+"/ref",schemaPath:"#/properties/interfaces/items/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.interfaces.items.properties.ref.type,parentSchema:schema31.properties.interfaces.items.properties.ref,data:data16};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data13.visibility !== undefined && func0.call(data13, "visibility")){
let data17 = data13.visibility;
if(typeof data17 !== "string"){
const err47 = {instancePath:instancePath+"/interfaces/" + i1+"/visibility",schemaPath:"#/properties/interfaces/items/properties/visibility/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.interfaces.items.properties.visibility.type,parentSchema:schema31.properties.interfaces.items.properties.visibility,data:data17};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(!((data17 === "public") || (data17 === "internal"))){
const err48 = {instancePath:instancePath+"/interfaces/" + i1+"/visibility",schemaPath:"#/properties/interfaces/items/properties/visibility/enum",keyword:"enum",params:{allowedValues: schema31.properties.interfaces.items.properties.visibility.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.interfaces.items.properties.visibility.enum,parentSchema:schema31.properties.interfaces.items.properties.visibility,data:data17};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/interfaces/" + i1,schemaPath:"#/properties/interfaces/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.interfaces.items.type,parentSchema:schema31.properties.interfaces.items,data:data13};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
else {
const err50 = {instancePath:instancePath+"/interfaces",schemaPath:"#/properties/interfaces/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.interfaces.type,parentSchema:schema31.properties.interfaces,data:data12};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data.configurations !== undefined && func0.call(data, "configurations")){
let data18 = data.configurations;
if(Array.isArray(data18)){
const len2 = data18.length;
for(let i2=0; i2<len2; i2++){
let data19 = data18[i2];
const _errs48 = errors;
let valid12 = false;
let passing0 = null;
const _errs49 = errors;
const _errs50 = errors;
const _errs51 = errors;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
let missing0;
if(((data19.ref === undefined) || (!(func0.call(data19, "ref")))) && (missing0 = "ref")){
const err51 = {};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
var valid13 = _errs51 === errors;
if(valid13){
const err52 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/oneOf/0/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.configurations.items.oneOf[0].not,parentSchema:schema31.properties.configurations.items.oneOf[0],data:data19};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
else {
errors = _errs50;
if(vErrors !== null){
if(_errs50){
vErrors.length = _errs50;
}
else {
vErrors = null;
}
}
}
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if((data19.schema === undefined) || (!(func0.call(data19, "schema")))){
const err53 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/oneOf/0/required",keyword:"required",params:{missingProperty: "schema"},message:"must have required property '"+"schema"+"'",schema:schema31.properties.configurations.items.oneOf[0].required,parentSchema:schema31.properties.configurations.items.oneOf[0],data:data19};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
var _valid0 = _errs49 === errors;
if(_valid0){
valid12 = true;
passing0 = 0;
}
const _errs52 = errors;
const _errs53 = errors;
const _errs54 = errors;
const _errs55 = errors;
let valid15 = false;
const _errs56 = errors;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
let missing1;
if(((data19.schema === undefined) || (!(func0.call(data19, "schema")))) && (missing1 = "schema")){
const err54 = {};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
var _valid1 = _errs56 === errors;
valid15 = valid15 || _valid1;
const _errs57 = errors;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
let missing2;
if(((data19.values === undefined) || (!(func0.call(data19, "values")))) && (missing2 = "values")){
const err55 = {};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
var _valid1 = _errs57 === errors;
valid15 = valid15 || _valid1;
if(!valid15){
const err56 = {};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
else {
errors = _errs55;
if(vErrors !== null){
if(_errs55){
vErrors.length = _errs55;
}
else {
vErrors = null;
}
}
}
var valid14 = _errs54 === errors;
if(valid14){
const err57 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/oneOf/1/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.configurations.items.oneOf[1].not,parentSchema:schema31.properties.configurations.items.oneOf[1],data:data19};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
else {
errors = _errs53;
if(vErrors !== null){
if(_errs53){
vErrors.length = _errs53;
}
else {
vErrors = null;
}
}
}
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if((data19.ref === undefined) || (!(func0.call(data19, "ref")))){
const err58 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/oneOf/1/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'",schema:schema31.properties.configurations.items.oneOf[1].required,parentSchema:schema31.properties.configurations.items.oneOf[1],data:data19};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
var _valid0 = _errs52 === errors;
if(_valid0 && valid12){
valid12 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid12 = true;
passing0 = 1;
}
}
if(!valid12){
const err59 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/oneOf",keyword:"oneOf",params:{passingSchemas: passing0},message:"must match exactly one schema in oneOf",schema:schema31.properties.configurations.items.oneOf,parentSchema:schema31.properties.configurations.items,data:data19};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
else {
errors = _errs48;
if(vErrors !== null){
if(_errs48){
vErrors.length = _errs48;
}
else {
vErrors = null;
}
}
}
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if((data19.name === undefined) || (!(func0.call(data19, "name")))){
const err60 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema31.properties.configurations.items.required,parentSchema:schema31.properties.configurations.items,data:data19};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if((data19.required === undefined) || (!(func0.call(data19, "required")))){
const err61 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/required",keyword:"required",params:{missingProperty: "required"},message:"must have required property '"+"required"+"'",schema:schema31.properties.configurations.items.required,parentSchema:schema31.properties.configurations.items,data:data19};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
for(const key5 of Object.keys(data19)){
if(!(((((key5 === "name") || (key5 === "required")) || (key5 === "schema")) || (key5 === "ref")) || (key5 === "values"))){
const err62 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.configurations.items,data:data19};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data19.name !== undefined && func0.call(data19, "name")){
let data20 = data19.name;
if(typeof data20 === "string"){
if(func69(data20) < 1){
const err63 = {instancePath:instancePath+"/configurations/" + i2+"/name",schemaPath:"#/properties/configurations/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.configurations.items.properties.name,data:data20};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/configurations/" + i2+"/name",schemaPath:"#/properties/configurations/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.configurations.items.properties.name.type,parentSchema:schema31.properties.configurations.items.properties.name,data:data20};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data19.required !== undefined && func0.call(data19, "required")){
let data21 = data19.required;
if(typeof data21 !== "boolean"){
const err65 = {instancePath:instancePath+"/configurations/" + i2+"/required",schemaPath:"#/properties/configurations/items/properties/required/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema31.properties.configurations.items.properties.required.type,parentSchema:schema31.properties.configurations.items.properties.required,data:data21};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data19.schema !== undefined && func0.call(data19, "schema")){
let data22 = data19.schema;
if(typeof data22 === "string"){
if(func69(data22) < 1){
const err66 = {instancePath:instancePath+"/configurations/" + i2+"/schema",schemaPath:"#/properties/configurations/items/properties/schema/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.configurations.items.properties.schema,data:data22};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/configurations/" + i2+"/schema",schemaPath:"#/properties/configurations/items/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.configurations.items.properties.schema.type,parentSchema:schema31.properties.configurations.items.properties.schema,data:data22};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data19.ref !== undefined && func0.call(data19, "ref")){
let data23 = data19.ref;
if(typeof data23 === "string"){
if(func69(data23) < 1){
const err68 = {instancePath:instancePath+"/configurations/" + i2+"/ref",schemaPath:"#/properties/configurations/items/properties/ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.configurations.items.properties.ref,data:data23};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
else {
const err69 = {instancePath:instancePath+"/configurations/" + i2+"/ref",schemaPath:"#/properties/configurations/items/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.configurations.items.properties.ref.type,parentSchema:schema31.properties.configurations.items.properties.ref,data:data23};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data19.values !== undefined && func0.call(data19, "values")){
let data24 = data19.values;
if(!(data24 && typeof data24 == "object" && !Array.isArray(data24))){
const err70 = {instancePath:instancePath+"/configurations/" + i2+"/values",schemaPath:"#/properties/configurations/items/properties/values/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.configurations.items.properties.values.type,parentSchema:schema31.properties.configurations.items.properties.values,data:data24};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
else {
const err71 = {instancePath:instancePath+"/configurations/" + i2,schemaPath:"#/properties/configurations/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.configurations.items.type,parentSchema:schema31.properties.configurations.items,data:data19};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
}
else {
const err72 = {instancePath:instancePath+"/configurations",schemaPath:"#/properties/configurations/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.configurations.type,parentSchema:schema31.properties.configurations,data:data18};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data.policies !== undefined && func0.call(data, "policies")){
let data25 = data.policies;
if(Array.isArray(data25)){
if(data25.length < 1){
const err73 = {instancePath:instancePath+"/policies",schemaPath:"#/properties/policies/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema31.properties.policies,data:data25};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
const len3 = data25.length;
for(let i3=0; i3<len3; i3++){
let data26 = data25[i3];
const _errs73 = errors;
let valid19 = false;
let passing1 = null;
const _errs74 = errors;
const _errs75 = errors;
const _errs76 = errors;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
let missing3;
if(((data26.ref === undefined) || (!(func0.call(data26, "ref")))) && (missing3 = "ref")){
const err74 = {};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
var valid20 = _errs76 === errors;
if(valid20){
const err75 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/oneOf/0/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.policies.items.oneOf[0].not,parentSchema:schema31.properties.policies.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
else {
errors = _errs75;
if(vErrors !== null){
if(_errs75){
vErrors.length = _errs75;
}
else {
vErrors = null;
}
}
}
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if((data26.schema === undefined) || (!(func0.call(data26, "schema")))){
const err76 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/oneOf/0/required",keyword:"required",params:{missingProperty: "schema"},message:"must have required property '"+"schema"+"'",schema:schema31.properties.policies.items.oneOf[0].required,parentSchema:schema31.properties.policies.items.oneOf[0],data:data26};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
var _valid2 = _errs74 === errors;
if(_valid2){
valid19 = true;
passing1 = 0;
}
const _errs77 = errors;
const _errs78 = errors;
const _errs79 = errors;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
let missing4;
if(((data26.schema === undefined) || (!(func0.call(data26, "schema")))) && (missing4 = "schema")){
const err77 = {};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
var valid21 = _errs79 === errors;
if(valid21){
const err78 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/oneOf/1/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.policies.items.oneOf[1].not,parentSchema:schema31.properties.policies.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
else {
errors = _errs78;
if(vErrors !== null){
if(_errs78){
vErrors.length = _errs78;
}
else {
vErrors = null;
}
}
}
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if((data26.ref === undefined) || (!(func0.call(data26, "ref")))){
const err79 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/oneOf/1/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'",schema:schema31.properties.policies.items.oneOf[1].required,parentSchema:schema31.properties.policies.items.oneOf[1],data:data26};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
var _valid2 = _errs77 === errors;
if(_valid2 && valid19){
valid19 = false;
passing1 = [passing1, 1];
}
else {
if(_valid2){
valid19 = true;
passing1 = 1;
}
}
if(!valid19){
const err80 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/oneOf",keyword:"oneOf",params:{passingSchemas: passing1},message:"must match exactly one schema in oneOf",schema:schema31.properties.policies.items.oneOf,parentSchema:schema31.properties.policies.items,data:data26};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
else {
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
}
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if((data26.name === undefined) || (!(func0.call(data26, "name")))){
const err81 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema31.properties.policies.items.required,parentSchema:schema31.properties.policies.items,data:data26};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
for(const key6 of Object.keys(data26)){
if(!((((key6 === "name") || (key6 === "schema")) || (key6 === "ref")) || (key6 === "target"))){
const err82 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.policies.items,data:data26};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data26.name !== undefined && func0.call(data26, "name")){
let data27 = data26.name;
if(typeof data27 === "string"){
if(func69(data27) < 1){
const err83 = {instancePath:instancePath+"/policies/" + i3+"/name",schemaPath:"#/properties/policies/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.policies.items.properties.name,data:data27};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
else {
const err84 = {instancePath:instancePath+"/policies/" + i3+"/name",schemaPath:"#/properties/policies/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.policies.items.properties.name.type,parentSchema:schema31.properties.policies.items.properties.name,data:data27};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
if(data26.schema !== undefined && func0.call(data26, "schema")){
let data28 = data26.schema;
if(typeof data28 === "string"){
if(func69(data28) < 1){
const err85 = {instancePath:instancePath+"/policies/" + i3+"/schema",schemaPath:"#/properties/policies/items/properties/schema/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.policies.items.properties.schema,data:data28};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
else {
const err86 = {instancePath:instancePath+"/policies/" + i3+"/schema",schemaPath:"#/properties/policies/items/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.policies.items.properties.schema.type,parentSchema:schema31.properties.policies.items.properties.schema,data:data28};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data26.ref !== undefined && func0.call(data26, "ref")){
let data29 = data26.ref;
if(typeof data29 === "string"){
if(func69(data29) < 1){
const err87 = {instancePath:instancePath+"/policies/" + i3+"/ref",schemaPath:"#/properties/policies/items/properties/ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.policies.items.properties.ref,data:data29};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/policies/" + i3+"/ref",schemaPath:"#/properties/policies/items/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.policies.items.properties.ref.type,parentSchema:schema31.properties.policies.items.properties.ref,data:data29};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data26.target !== undefined && func0.call(data26, "target")){
let data30 = data26.target;
if(typeof data30 !== "string"){
const err89 = {instancePath:instancePath+"/policies/" + i3+"/target",schemaPath:"#/properties/policies/items/properties/target/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.policies.items.properties.target.type,parentSchema:schema31.properties.policies.items.properties.target,data:data30};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if(!(data30 === "contract")){
const err90 = {instancePath:instancePath+"/policies/" + i3+"/target",schemaPath:"#/properties/policies/items/properties/target/enum",keyword:"enum",params:{allowedValues: schema31.properties.policies.items.properties.target.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.policies.items.properties.target.enum,parentSchema:schema31.properties.policies.items.properties.target,data:data30};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
}
else {
const err91 = {instancePath:instancePath+"/policies/" + i3,schemaPath:"#/properties/policies/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.policies.items.type,parentSchema:schema31.properties.policies.items,data:data26};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
}
else {
const err92 = {instancePath:instancePath+"/policies",schemaPath:"#/properties/policies/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.policies.type,parentSchema:schema31.properties.policies,data:data25};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data.dependencies !== undefined && func0.call(data, "dependencies")){
let data31 = data.dependencies;
if(Array.isArray(data31)){
const len4 = data31.length;
for(let i4=0; i4<len4; i4++){
let data32 = data31[i4];
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
if((data32.name === undefined) || (!(func0.call(data32, "name")))){
const err93 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'",schema:schema31.properties.dependencies.items.required,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if((data32.ref === undefined) || (!(func0.call(data32, "ref")))){
const err94 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'",schema:schema31.properties.dependencies.items.required,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if((data32.required === undefined) || (!(func0.call(data32, "required")))){
const err95 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/required",keyword:"required",params:{missingProperty: "required"},message:"must have required property '"+"required"+"'",schema:schema31.properties.dependencies.items.required,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if((data32.compatibility === undefined) || (!(func0.call(data32, "compatibility")))){
const err96 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/required",keyword:"required",params:{missingProperty: "compatibility"},message:"must have required property '"+"compatibility"+"'",schema:schema31.properties.dependencies.items.required,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
for(const key7 of Object.keys(data32)){
if(!((((key7 === "name") || (key7 === "ref")) || (key7 === "required")) || (key7 === "compatibility"))){
const err97 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data32.name !== undefined && func0.call(data32, "name")){
let data33 = data32.name;
if(typeof data33 === "string"){
if(func69(data33) < 1){
const err98 = {instancePath:instancePath+"/dependencies/" + i4+"/name",schemaPath:"#/properties/dependencies/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.dependencies.items.properties.name,data:data33};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
else {
const err99 = {instancePath:instancePath+"/dependencies/" + i4+"/name",schemaPath:"#/properties/dependencies/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.dependencies.items.properties.name.type,parentSchema:schema31.properties.dependencies.items.properties.name,data:data33};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data32.ref !== undefined && func0.call(data32, "ref")){
let data34 = data32.ref;
if(typeof data34 === "string"){
if(func69(data34) < 1){
const err100 = {instancePath:instancePath+"/dependencies/" + i4+"/ref",schemaPath:"#/properties/dependencies/items/properties/ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.dependencies.items.properties.ref,data:data34};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
else {
const err101 = {instancePath:instancePath+"/dependencies/" + i4+"/ref",schemaPath:"#/properties/dependencies/items/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.dependencies.items.properties.ref.type,parentSchema:schema31.properties.dependencies.items.properties.ref,data:data34};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data32.required !== undefined && func0.call(data32, "required")){
let data35 = data32.required;
if(typeof data35 !== "boolean"){
const err102 = {instancePath:instancePath+"/dependencies/" + i4+"/required",schemaPath:"#/properties/dependencies/items/properties/required/type",keyword:"type",params:{type: "boolean"},message:"must be boolean",schema:schema31.properties.dependencies.items.properties.required.type,parentSchema:schema31.properties.dependencies.items.properties.required,data:data35};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data32.compatibility !== undefined && func0.call(data32, "compatibility")){
let data36 = data32.compatibility;
if(typeof data36 === "string"){
if(func69(data36) < 1){
const err103 = {instancePath:instancePath+"/dependencies/" + i4+"/compatibility",schemaPath:"#/properties/dependencies/items/properties/compatibility/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.dependencies.items.properties.compatibility,data:data36};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
else {
const err104 = {instancePath:instancePath+"/dependencies/" + i4+"/compatibility",schemaPath:"#/properties/dependencies/items/properties/compatibility/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.dependencies.items.properties.compatibility.type,parentSchema:schema31.properties.dependencies.items.properties.compatibility,data:data36};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
}
else {
const err105 = {instancePath:instancePath+"/dependencies/" + i4,schemaPath:"#/properties/dependencies/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.dependencies.items.type,parentSchema:schema31.properties.dependencies.items,data:data32};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
}
else {
const err106 = {instancePath:instancePath+"/dependencies",schemaPath:"#/properties/dependencies/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.dependencies.type,parentSchema:schema31.properties.dependencies,data:data31};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
if(data.workload !== undefined && func0.call(data, "workload")){
let data37 = data.workload;
if(typeof data37 !== "string"){
const err107 = {instancePath:instancePath+"/workload",schemaPath:"#/properties/workload/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.workload.type,parentSchema:schema31.properties.workload,data:data37};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if(!(((data37 === "service") || (data37 === "job")) || (data37 === "scheduled"))){
const err108 = {instancePath:instancePath+"/workload",schemaPath:"#/properties/workload/enum",keyword:"enum",params:{allowedValues: schema31.properties.workload.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.workload.enum,parentSchema:schema31.properties.workload,data:data37};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
if(data.state !== undefined && func0.call(data, "state")){
let data38 = data.state;
const _errs106 = errors;
let valid26 = true;
const _errs107 = errors;
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
if(data38.type !== undefined && func0.call(data38, "type")){
if("stateless" !== data38.type){
const err109 = {};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
}
var _valid3 = _errs107 === errors;
errors = _errs106;
if(vErrors !== null){
if(_errs106){
vErrors.length = _errs106;
}
else {
vErrors = null;
}
}
if(_valid3){
const _errs109 = errors;
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
if(data38.persistence !== undefined && func0.call(data38, "persistence")){
let data40 = data38.persistence;
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if(data40.durability !== undefined && func0.call(data40, "durability")){
let data41 = data40.durability;
if("ephemeral" !== data41){
const err110 = {instancePath:instancePath+"/state/persistence/durability",schemaPath:"#/properties/state/then/properties/persistence/properties/durability/const",keyword:"const",params:{allowedValue: "ephemeral"},message:"must be equal to constant",schema:"ephemeral",parentSchema:schema31.properties.state.then.properties.persistence.properties.durability,data:data41};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
}
}
}
var _valid3 = _errs109 === errors;
valid26 = _valid3;
if(valid26){
var props0 = {};
props0.persistence = true;
props0.type = true;
}
}
if(!valid26){
const err111 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/if",keyword:"if",params:{failingKeyword: "then"},message:"must match \"then\" schema",schema:schema31.properties.state.if,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
if((data38.type === undefined) || (!(func0.call(data38, "type")))){
const err112 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.state.required,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
if((data38.persistence === undefined) || (!(func0.call(data38, "persistence")))){
const err113 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/required",keyword:"required",params:{missingProperty: "persistence"},message:"must have required property '"+"persistence"+"'",schema:schema31.properties.state.required,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if((data38.dataCriticality === undefined) || (!(func0.call(data38, "dataCriticality")))){
const err114 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/required",keyword:"required",params:{missingProperty: "dataCriticality"},message:"must have required property '"+"dataCriticality"+"'",schema:schema31.properties.state.required,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
for(const key8 of Object.keys(data38)){
if(!(((key8 === "type") || (key8 === "persistence")) || (key8 === "dataCriticality"))){
const err115 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data38.type !== undefined && func0.call(data38, "type")){
let data42 = data38.type;
if(typeof data42 !== "string"){
const err116 = {instancePath:instancePath+"/state/type",schemaPath:"#/properties/state/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.state.properties.type.type,parentSchema:schema31.properties.state.properties.type,data:data42};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
if(!(((data42 === "stateless") || (data42 === "stateful")) || (data42 === "hybrid"))){
const err117 = {instancePath:instancePath+"/state/type",schemaPath:"#/properties/state/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.state.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.state.properties.type.enum,parentSchema:schema31.properties.state.properties.type,data:data42};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
if(data38.persistence !== undefined && func0.call(data38, "persistence")){
let data43 = data38.persistence;
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
if((data43.scope === undefined) || (!(func0.call(data43, "scope")))){
const err118 = {instancePath:instancePath+"/state/persistence",schemaPath:"#/properties/state/properties/persistence/required",keyword:"required",params:{missingProperty: "scope"},message:"must have required property '"+"scope"+"'",schema:schema31.properties.state.properties.persistence.required,parentSchema:schema31.properties.state.properties.persistence,data:data43};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
if((data43.durability === undefined) || (!(func0.call(data43, "durability")))){
const err119 = {instancePath:instancePath+"/state/persistence",schemaPath:"#/properties/state/properties/persistence/required",keyword:"required",params:{missingProperty: "durability"},message:"must have required property '"+"durability"+"'",schema:schema31.properties.state.properties.persistence.required,parentSchema:schema31.properties.state.properties.persistence,data:data43};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
for(const key9 of Object.keys(data43)){
if(!((key9 === "scope") || (key9 === "durability"))){
const err120 = {instancePath:instancePath+"/state/persistence",schemaPath:"#/properties/state/properties/persistence/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.state.properties.persistence,data:data43};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
if(data43.scope !== undefined && func0.call(data43, "scope")){
let data44 = data43.scope;
if(typeof data44 !== "string"){
const err121 = {instancePath:instancePath+"/state/persistence/scope",schemaPath:"#/properties/state/properties/persistence/properties/scope/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.state.properties.persistence.properties.scope.type,parentSchema:schema31.properties.state.properties.persistence.properties.scope,data:data44};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
if(!((data44 === "local") || (data44 === "shared"))){
const err122 = {instancePath:instancePath+"/state/persistence/scope",schemaPath:"#/properties/state/properties/persistence/properties/scope/enum",keyword:"enum",params:{allowedValues: schema31.properties.state.properties.persistence.properties.scope.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.state.properties.persistence.properties.scope.enum,parentSchema:schema31.properties.state.properties.persistence.properties.scope,data:data44};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
}
if(data43.durability !== undefined && func0.call(data43, "durability")){
let data45 = data43.durability;
if(typeof data45 !== "string"){
const err123 = {instancePath:instancePath+"/state/persistence/durability",schemaPath:"#/properties/state/properties/persistence/properties/durability/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.state.properties.persistence.properties.durability.type,parentSchema:schema31.properties.state.properties.persistence.properties.durability,data:data45};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(!((data45 === "ephemeral") || (data45 === "persistent"))){
const err124 = {instancePath:instancePath+"/state/persistence/durability",schemaPath:"#/properties/state/properties/persistence/properties/durability/enum",keyword:"enum",params:{allowedValues: schema31.properties.state.properties.persistence.properties.durability.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.state.properties.persistence.properties.durability.enum,parentSchema:schema31.properties.state.properties.persistence.properties.durability,data:data45};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
}
else {
const err125 = {instancePath:instancePath+"/state/persistence",schemaPath:"#/properties/state/properties/persistence/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.state.properties.persistence.type,parentSchema:schema31.properties.state.properties.persistence,data:data43};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
if(data38.dataCriticality !== undefined && func0.call(data38, "dataCriticality")){
let data46 = data38.dataCriticality;
if(typeof data46 !== "string"){
const err126 = {instancePath:instancePath+"/state/dataCriticality",schemaPath:"#/properties/state/properties/dataCriticality/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.state.properties.dataCriticality.type,parentSchema:schema31.properties.state.properties.dataCriticality,data:data46};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
if(!(((data46 === "low") || (data46 === "medium")) || (data46 === "high"))){
const err127 = {instancePath:instancePath+"/state/dataCriticality",schemaPath:"#/properties/state/properties/dataCriticality/enum",keyword:"enum",params:{allowedValues: schema31.properties.state.properties.dataCriticality.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.state.properties.dataCriticality.enum,parentSchema:schema31.properties.state.properties.dataCriticality,data:data46};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
}
else {
const err128 = {instancePath:instancePath+"/state",schemaPath:"#/properties/state/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.state.type,parentSchema:schema31.properties.state,data:data38};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
if(data.capabilities !== undefined && func0.call(data, "capabilities")){
let data47 = data.capabilities;
if(Array.isArray(data47)){
const len5 = data47.length;
for(let i5=0; i5<len5; i5++){
let data48 = data47[i5];
const _errs128 = errors;
let valid34 = false;
let passing2 = null;
const _errs129 = errors;
const _errs130 = errors;
const _errs131 = errors;
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
let missing5;
if(((data48.ref === undefined) || (!(func0.call(data48, "ref")))) && (missing5 = "ref")){
const err129 = {};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
var valid35 = _errs131 === errors;
if(valid35){
const err130 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/oneOf/0/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.capabilities.items.oneOf[0].not,parentSchema:schema31.properties.capabilities.items.oneOf[0],data:data48};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
else {
errors = _errs130;
if(vErrors !== null){
if(_errs130){
vErrors.length = _errs130;
}
else {
vErrors = null;
}
}
}
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if(data48.type !== undefined && func0.call(data48, "type")){
let data49 = data48.type;
if(!((data49 === "health") || (data49 === "metrics"))){
const err131 = {instancePath:instancePath+"/capabilities/" + i5+"/type",schemaPath:"#/properties/capabilities/items/oneOf/0/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.capabilities.items.oneOf[0].properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.capabilities.items.oneOf[0].properties.type.enum,parentSchema:schema31.properties.capabilities.items.oneOf[0].properties.type,data:data49};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
}
var _valid4 = _errs129 === errors;
if(_valid4){
valid34 = true;
passing2 = 0;
var props1 = {};
props1.type = true;
}
const _errs133 = errors;
const _errs134 = errors;
const _errs135 = errors;
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
let missing6;
if(((data48.binding === undefined) || (!(func0.call(data48, "binding")))) && (missing6 = "binding")){
const err132 = {};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
var valid37 = _errs135 === errors;
if(valid37){
const err133 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/oneOf/1/not",keyword:"not",params:{},message:"must NOT be valid",schema:schema31.properties.capabilities.items.oneOf[1].not,parentSchema:schema31.properties.capabilities.items.oneOf[1],data:data48};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
else {
errors = _errs134;
if(vErrors !== null){
if(_errs134){
vErrors.length = _errs134;
}
else {
vErrors = null;
}
}
}
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if((data48.ref === undefined) || (!(func0.call(data48, "ref")))){
const err134 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/oneOf/1/required",keyword:"required",params:{missingProperty: "ref"},message:"must have required property '"+"ref"+"'",schema:schema31.properties.capabilities.items.oneOf[1].required,parentSchema:schema31.properties.capabilities.items.oneOf[1],data:data48};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
if(data48.type !== undefined && func0.call(data48, "type")){
let data50 = data48.type;
if("extension" !== data50){
const err135 = {instancePath:instancePath+"/capabilities/" + i5+"/type",schemaPath:"#/properties/capabilities/items/oneOf/1/properties/type/const",keyword:"const",params:{allowedValue: "extension"},message:"must be equal to constant",schema:"extension",parentSchema:schema31.properties.capabilities.items.oneOf[1].properties.type,data:data50};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
}
var _valid4 = _errs133 === errors;
if(_valid4 && valid34){
valid34 = false;
passing2 = [passing2, 1];
}
else {
if(_valid4){
valid34 = true;
passing2 = 1;
if(props1 !== true){
props1 = props1 || {};
props1.type = true;
}
}
}
if(!valid34){
const err136 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/oneOf",keyword:"oneOf",params:{passingSchemas: passing2},message:"must match exactly one schema in oneOf",schema:schema31.properties.capabilities.items.oneOf,parentSchema:schema31.properties.capabilities.items,data:data48};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
else {
errors = _errs128;
if(vErrors !== null){
if(_errs128){
vErrors.length = _errs128;
}
else {
vErrors = null;
}
}
}
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
if((data48.type === undefined) || (!(func0.call(data48, "type")))){
const err137 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.capabilities.items.required,parentSchema:schema31.properties.capabilities.items,data:data48};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
for(const key10 of Object.keys(data48)){
if(!(((key10 === "type") || (key10 === "ref")) || (key10 === "binding"))){
const err138 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.capabilities.items,data:data48};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
if(data48.type !== undefined && func0.call(data48, "type")){
let data51 = data48.type;
if(typeof data51 !== "string"){
const err139 = {instancePath:instancePath+"/capabilities/" + i5+"/type",schemaPath:"#/properties/capabilities/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.capabilities.items.properties.type.type,parentSchema:schema31.properties.capabilities.items.properties.type,data:data51};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
if(!(((data51 === "health") || (data51 === "metrics")) || (data51 === "extension"))){
const err140 = {instancePath:instancePath+"/capabilities/" + i5+"/type",schemaPath:"#/properties/capabilities/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.capabilities.items.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.capabilities.items.properties.type.enum,parentSchema:schema31.properties.capabilities.items.properties.type,data:data51};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
}
if(data48.ref !== undefined && func0.call(data48, "ref")){
let data52 = data48.ref;
if(typeof data52 === "string"){
if(func69(data52) < 1){
const err141 = {instancePath:instancePath+"/capabilities/" + i5+"/ref",schemaPath:"#/properties/capabilities/items/properties/ref/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.capabilities.items.properties.ref,data:data52};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
else {
const err142 = {instancePath:instancePath+"/capabilities/" + i5+"/ref",schemaPath:"#/properties/capabilities/items/properties/ref/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.capabilities.items.properties.ref.type,parentSchema:schema31.properties.capabilities.items.properties.ref,data:data52};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
}
if(data48.binding !== undefined && func0.call(data48, "binding")){
let data53 = data48.binding;
if(data53 && typeof data53 == "object" && !Array.isArray(data53)){
if((data53.type === undefined) || (!(func0.call(data53, "type")))){
const err143 = {instancePath:instancePath+"/capabilities/" + i5+"/binding",schemaPath:"#/properties/capabilities/items/properties/binding/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.capabilities.items.properties.binding.required,parentSchema:schema31.properties.capabilities.items.properties.binding,data:data53};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
if((data53.interface === undefined) || (!(func0.call(data53, "interface")))){
const err144 = {instancePath:instancePath+"/capabilities/" + i5+"/binding",schemaPath:"#/properties/capabilities/items/properties/binding/required",keyword:"required",params:{missingProperty: "interface"},message:"must have required property '"+"interface"+"'",schema:schema31.properties.capabilities.items.properties.binding.required,parentSchema:schema31.properties.capabilities.items.properties.binding,data:data53};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
for(const key11 of Object.keys(data53)){
if(!(((key11 === "type") || (key11 === "interface")) || (key11 === "path"))){
const err145 = {instancePath:instancePath+"/capabilities/" + i5+"/binding",schemaPath:"#/properties/capabilities/items/properties/binding/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.capabilities.items.properties.binding,data:data53};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
if(data53.type !== undefined && func0.call(data53, "type")){
let data54 = data53.type;
if(typeof data54 !== "string"){
const err146 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/type",schemaPath:"#/properties/capabilities/items/properties/binding/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.capabilities.items.properties.binding.properties.type.type,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.type,data:data54};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
if(!(data54 === "http")){
const err147 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/type",schemaPath:"#/properties/capabilities/items/properties/binding/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.capabilities.items.properties.binding.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.capabilities.items.properties.binding.properties.type.enum,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.type,data:data54};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data53.interface !== undefined && func0.call(data53, "interface")){
let data55 = data53.interface;
if(typeof data55 === "string"){
if(func69(data55) < 1){
const err148 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/interface",schemaPath:"#/properties/capabilities/items/properties/binding/properties/interface/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.interface,data:data55};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
else {
const err149 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/interface",schemaPath:"#/properties/capabilities/items/properties/binding/properties/interface/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.capabilities.items.properties.binding.properties.interface.type,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.interface,data:data55};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
if(data53.path !== undefined && func0.call(data53, "path")){
let data56 = data53.path;
if(typeof data56 === "string"){
if(func69(data56) < 1){
const err150 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/path",schemaPath:"#/properties/capabilities/items/properties/binding/properties/path/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.path,data:data56};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
if(!pattern8.test(data56)){
const err151 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/path",schemaPath:"#/properties/capabilities/items/properties/binding/properties/path/pattern",keyword:"pattern",params:{pattern: "^/([^/][^\\n]*)?$"},message:"must match pattern \""+"^/([^/][^\\n]*)?$"+"\"",schema:"^/([^/][^\\n]*)?$",parentSchema:schema31.properties.capabilities.items.properties.binding.properties.path,data:data56};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
}
else {
const err152 = {instancePath:instancePath+"/capabilities/" + i5+"/binding/path",schemaPath:"#/properties/capabilities/items/properties/binding/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.capabilities.items.properties.binding.properties.path.type,parentSchema:schema31.properties.capabilities.items.properties.binding.properties.path,data:data56};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
}
}
else {
const err153 = {instancePath:instancePath+"/capabilities/" + i5+"/binding",schemaPath:"#/properties/capabilities/items/properties/binding/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.capabilities.items.properties.binding.type,parentSchema:schema31.properties.capabilities.items.properties.binding,data:data53};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
}
else {
const err154 = {instancePath:instancePath+"/capabilities/" + i5,schemaPath:"#/properties/capabilities/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.capabilities.items.type,parentSchema:schema31.properties.capabilities.items,data:data48};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
}
else {
const err155 = {instancePath:instancePath+"/capabilities",schemaPath:"#/properties/capabilities/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.capabilities.type,parentSchema:schema31.properties.capabilities,data:data47};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
}
if(data.readiness !== undefined && func0.call(data, "readiness")){
let data57 = data.readiness;
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
if((data57.expires === undefined) || (!(func0.call(data57, "expires")))){
const err156 = {instancePath:instancePath+"/readiness",schemaPath:"#/properties/readiness/required",keyword:"required",params:{missingProperty: "expires"},message:"must have required property '"+"expires"+"'",schema:schema31.properties.readiness.required,parentSchema:schema31.properties.readiness,data:data57};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
if((data57.claims === undefined) || (!(func0.call(data57, "claims")))){
const err157 = {instancePath:instancePath+"/readiness",schemaPath:"#/properties/readiness/required",keyword:"required",params:{missingProperty: "claims"},message:"must have required property '"+"claims"+"'",schema:schema31.properties.readiness.required,parentSchema:schema31.properties.readiness,data:data57};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
for(const key12 of Object.keys(data57)){
if(!(((((key12 === "expires") || (key12 === "minScore")) || (key12 === "partialCredit")) || (key12 === "history")) || (key12 === "claims"))){
const err158 = {instancePath:instancePath+"/readiness",schemaPath:"#/properties/readiness/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.readiness,data:data57};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
if(data57.expires !== undefined && func0.call(data57, "expires")){
let data58 = data57.expires;
if(!(typeof data58 === "string")){
const err159 = {instancePath:instancePath+"/readiness/expires",schemaPath:"#/properties/readiness/properties/expires/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.expires.type,parentSchema:schema31.properties.readiness.properties.expires,data:data58};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
if(data57.minScore !== undefined && func0.call(data57, "minScore")){
let data59 = data57.minScore;
if(!((typeof data59 == "number") && (!(data59 % 1) && !isNaN(data59)))){
const err160 = {instancePath:instancePath+"/readiness/minScore",schemaPath:"#/properties/readiness/properties/minScore/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema31.properties.readiness.properties.minScore.type,parentSchema:schema31.properties.readiness.properties.minScore,data:data59};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
if(typeof data59 == "number"){
if(data59 > 100 || isNaN(data59)){
const err161 = {instancePath:instancePath+"/readiness/minScore",schemaPath:"#/properties/readiness/properties/minScore/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100",schema:100,parentSchema:schema31.properties.readiness.properties.minScore,data:data59};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
if(data59 < 0 || isNaN(data59)){
const err162 = {instancePath:instancePath+"/readiness/minScore",schemaPath:"#/properties/readiness/properties/minScore/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema31.properties.readiness.properties.minScore,data:data59};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
}
if(data57.partialCredit !== undefined && func0.call(data57, "partialCredit")){
let data60 = data57.partialCredit;
if(typeof data60 == "number"){
if(data60 > 1 || isNaN(data60)){
const err163 = {instancePath:instancePath+"/readiness/partialCredit",schemaPath:"#/properties/readiness/properties/partialCredit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1},message:"must be <= 1",schema:1,parentSchema:schema31.properties.readiness.properties.partialCredit,data:data60};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
if(data60 < 0 || isNaN(data60)){
const err164 = {instancePath:instancePath+"/readiness/partialCredit",schemaPath:"#/properties/readiness/properties/partialCredit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema31.properties.readiness.properties.partialCredit,data:data60};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
}
else {
const err165 = {instancePath:instancePath+"/readiness/partialCredit",schemaPath:"#/properties/readiness/properties/partialCredit/type",keyword:"type",params:{type: "number"},message:"must be number",schema:schema31.properties.readiness.properties.partialCredit.type,parentSchema:schema31.properties.readiness.properties.partialCredit,data:data60};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
if(data57.history !== undefined && func0.call(data57, "history")){
let data61 = data57.history;
if(Array.isArray(data61)){
const len6 = data61.length;
for(let i6=0; i6<len6; i6++){
let data62 = data61[i6];
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
if((data62.date === undefined) || (!(func0.call(data62, "date")))){
const err166 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/required",keyword:"required",params:{missingProperty: "date"},message:"must have required property '"+"date"+"'",schema:schema31.properties.readiness.properties.history.items.required,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
if((data62.version === undefined) || (!(func0.call(data62, "version")))){
const err167 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/required",keyword:"required",params:{missingProperty: "version"},message:"must have required property '"+"version"+"'",schema:schema31.properties.readiness.properties.history.items.required,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
if((data62.author === undefined) || (!(func0.call(data62, "author")))){
const err168 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/required",keyword:"required",params:{missingProperty: "author"},message:"must have required property '"+"author"+"'",schema:schema31.properties.readiness.properties.history.items.required,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if((data62.description === undefined) || (!(func0.call(data62, "description")))){
const err169 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/required",keyword:"required",params:{missingProperty: "description"},message:"must have required property '"+"description"+"'",schema:schema31.properties.readiness.properties.history.items.required,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
for(const key13 of Object.keys(data62)){
if(!((((key13 === "date") || (key13 === "version")) || (key13 === "author")) || (key13 === "description"))){
const err170 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
if(data62.date !== undefined && func0.call(data62, "date")){
let data63 = data62.date;
if(!(typeof data63 === "string")){
const err171 = {instancePath:instancePath+"/readiness/history/" + i6+"/date",schemaPath:"#/properties/readiness/properties/history/items/properties/date/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.history.items.properties.date.type,parentSchema:schema31.properties.readiness.properties.history.items.properties.date,data:data63};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
if(data62.version !== undefined && func0.call(data62, "version")){
let data64 = data62.version;
if(typeof data64 === "string"){
if(func69(data64) < 1){
const err172 = {instancePath:instancePath+"/readiness/history/" + i6+"/version",schemaPath:"#/properties/readiness/properties/history/items/properties/version/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.history.items.properties.version,data:data64};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
else {
const err173 = {instancePath:instancePath+"/readiness/history/" + i6+"/version",schemaPath:"#/properties/readiness/properties/history/items/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.history.items.properties.version.type,parentSchema:schema31.properties.readiness.properties.history.items.properties.version,data:data64};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data62.author !== undefined && func0.call(data62, "author")){
let data65 = data62.author;
if(typeof data65 === "string"){
if(func69(data65) < 1){
const err174 = {instancePath:instancePath+"/readiness/history/" + i6+"/author",schemaPath:"#/properties/readiness/properties/history/items/properties/author/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.history.items.properties.author,data:data65};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
else {
const err175 = {instancePath:instancePath+"/readiness/history/" + i6+"/author",schemaPath:"#/properties/readiness/properties/history/items/properties/author/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.history.items.properties.author.type,parentSchema:schema31.properties.readiness.properties.history.items.properties.author,data:data65};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
if(data62.description !== undefined && func0.call(data62, "description")){
let data66 = data62.description;
if(typeof data66 === "string"){
if(func69(data66) < 1){
const err176 = {instancePath:instancePath+"/readiness/history/" + i6+"/description",schemaPath:"#/properties/readiness/properties/history/items/properties/description/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.history.items.properties.description,data:data66};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
}
else {
const err177 = {instancePath:instancePath+"/readiness/history/" + i6+"/description",schemaPath:"#/properties/readiness/properties/history/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.history.items.properties.description.type,parentSchema:schema31.properties.readiness.properties.history.items.properties.description,data:data66};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
}
else {
const err178 = {instancePath:instancePath+"/readiness/history/" + i6,schemaPath:"#/properties/readiness/properties/history/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.readiness.properties.history.items.type,parentSchema:schema31.properties.readiness.properties.history.items,data:data62};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
}
else {
const err179 = {instancePath:instancePath+"/readiness/history",schemaPath:"#/properties/readiness/properties/history/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.readiness.properties.history.type,parentSchema:schema31.properties.readiness.properties.history,data:data61};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data57.claims !== undefined && func0.call(data57, "claims")){
let data67 = data57.claims;
if(Array.isArray(data67)){
if(data67.length < 1){
const err180 = {instancePath:instancePath+"/readiness/claims",schemaPath:"#/properties/readiness/properties/claims/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items",schema:1,parentSchema:schema31.properties.readiness.properties.claims,data:data67};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
const len7 = data67.length;
for(let i7=0; i7<len7; i7++){
let data68 = data67[i7];
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
if((data68.id === undefined) || (!(func0.call(data68, "id")))){
const err181 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'",schema:schema31.properties.readiness.properties.claims.items.required,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
if((data68.type === undefined) || (!(func0.call(data68, "type")))){
const err182 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/required",keyword:"required",params:{missingProperty: "type"},message:"must have required property '"+"type"+"'",schema:schema31.properties.readiness.properties.claims.items.required,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
if((data68.status === undefined) || (!(func0.call(data68, "status")))){
const err183 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/required",keyword:"required",params:{missingProperty: "status"},message:"must have required property '"+"status"+"'",schema:schema31.properties.readiness.properties.claims.items.required,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
if((data68.evidence === undefined) || (!(func0.call(data68, "evidence")))){
const err184 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/required",keyword:"required",params:{missingProperty: "evidence"},message:"must have required property '"+"evidence"+"'",schema:schema31.properties.readiness.properties.claims.items.required,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
if((data68.weight === undefined) || (!(func0.call(data68, "weight")))){
const err185 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/required",keyword:"required",params:{missingProperty: "weight"},message:"must have required property '"+"weight"+"'",schema:schema31.properties.readiness.properties.claims.items.required,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
for(const key14 of Object.keys(data68)){
if(!(((((((key14 === "id") || (key14 === "type")) || (key14 === "category")) || (key14 === "status")) || (key14 === "evidence")) || (key14 === "weight")) || (key14 === "description"))){
const err186 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14},message:"must NOT have additional properties",schema:false,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
if(data68.id !== undefined && func0.call(data68, "id")){
let data69 = data68.id;
if(typeof data69 === "string"){
if(func69(data69) < 1){
const err187 = {instancePath:instancePath+"/readiness/claims/" + i7+"/id",schemaPath:"#/properties/readiness/properties/claims/items/properties/id/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.claims.items.properties.id,data:data69};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
if(!pattern9.test(data69)){
const err188 = {instancePath:instancePath+"/readiness/claims/" + i7+"/id",schemaPath:"#/properties/readiness/properties/claims/items/properties/id/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$"+"\"",schema:"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$",parentSchema:schema31.properties.readiness.properties.claims.items.properties.id,data:data69};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
else {
const err189 = {instancePath:instancePath+"/readiness/claims/" + i7+"/id",schemaPath:"#/properties/readiness/properties/claims/items/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.id.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.id,data:data69};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
if(data68.type !== undefined && func0.call(data68, "type")){
let data70 = data68.type;
if(typeof data70 !== "string"){
const err190 = {instancePath:instancePath+"/readiness/claims/" + i7+"/type",schemaPath:"#/properties/readiness/properties/claims/items/properties/type/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.type.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.type,data:data70};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
if(!(((((((data70 === "url") || (data70 === "document")) || (data70 === "ticket")) || (data70 === "report")) || (data70 === "artifact")) || (data70 === "identifier")) || (data70 === "other"))){
const err191 = {instancePath:instancePath+"/readiness/claims/" + i7+"/type",schemaPath:"#/properties/readiness/properties/claims/items/properties/type/enum",keyword:"enum",params:{allowedValues: schema31.properties.readiness.properties.claims.items.properties.type.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.readiness.properties.claims.items.properties.type.enum,parentSchema:schema31.properties.readiness.properties.claims.items.properties.type,data:data70};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
}
if(data68.category !== undefined && func0.call(data68, "category")){
let data71 = data68.category;
if(typeof data71 !== "string"){
const err192 = {instancePath:instancePath+"/readiness/claims/" + i7+"/category",schemaPath:"#/properties/readiness/properties/claims/items/properties/category/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.category.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.category,data:data71};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
if(!((((((((((((((data71 === "architecture") || (data71 === "testing")) || (data71 === "code-quality")) || (data71 === "observability")) || (data71 === "security")) || (data71 === "documentation")) || (data71 === "infrastructure")) || (data71 === "ci-cd")) || (data71 === "deployment")) || (data71 === "resilience")) || (data71 === "backup-recovery")) || (data71 === "incident-response")) || (data71 === "compliance")) || (data71 === "other"))){
const err193 = {instancePath:instancePath+"/readiness/claims/" + i7+"/category",schemaPath:"#/properties/readiness/properties/claims/items/properties/category/enum",keyword:"enum",params:{allowedValues: schema31.properties.readiness.properties.claims.items.properties.category.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.readiness.properties.claims.items.properties.category.enum,parentSchema:schema31.properties.readiness.properties.claims.items.properties.category,data:data71};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
if(data68.status !== undefined && func0.call(data68, "status")){
let data72 = data68.status;
if(typeof data72 !== "string"){
const err194 = {instancePath:instancePath+"/readiness/claims/" + i7+"/status",schemaPath:"#/properties/readiness/properties/claims/items/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.status.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.status,data:data72};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
if(!((((data72 === "done") || (data72 === "partial")) || (data72 === "not-done")) || (data72 === "deferred"))){
const err195 = {instancePath:instancePath+"/readiness/claims/" + i7+"/status",schemaPath:"#/properties/readiness/properties/claims/items/properties/status/enum",keyword:"enum",params:{allowedValues: schema31.properties.readiness.properties.claims.items.properties.status.enum},message:"must be equal to one of the allowed values",schema:schema31.properties.readiness.properties.claims.items.properties.status.enum,parentSchema:schema31.properties.readiness.properties.claims.items.properties.status,data:data72};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
if(data68.evidence !== undefined && func0.call(data68, "evidence")){
let data73 = data68.evidence;
if(typeof data73 === "string"){
if(func69(data73) > 2048){
const err196 = {instancePath:instancePath+"/readiness/claims/" + i7+"/evidence",schemaPath:"#/properties/readiness/properties/claims/items/properties/evidence/maxLength",keyword:"maxLength",params:{limit: 2048},message:"must NOT have more than 2048 characters",schema:2048,parentSchema:schema31.properties.readiness.properties.claims.items.properties.evidence,data:data73};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
if(func69(data73) < 1){
const err197 = {instancePath:instancePath+"/readiness/claims/" + i7+"/evidence",schemaPath:"#/properties/readiness/properties/claims/items/properties/evidence/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.claims.items.properties.evidence,data:data73};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
}
else {
const err198 = {instancePath:instancePath+"/readiness/claims/" + i7+"/evidence",schemaPath:"#/properties/readiness/properties/claims/items/properties/evidence/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.evidence.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.evidence,data:data73};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
if(data68.weight !== undefined && func0.call(data68, "weight")){
let data74 = data68.weight;
if(!((typeof data74 == "number") && (!(data74 % 1) && !isNaN(data74)))){
const err199 = {instancePath:instancePath+"/readiness/claims/" + i7+"/weight",schemaPath:"#/properties/readiness/properties/claims/items/properties/weight/type",keyword:"type",params:{type: "integer"},message:"must be integer",schema:schema31.properties.readiness.properties.claims.items.properties.weight.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.weight,data:data74};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
if(typeof data74 == "number"){
if(data74 > 100 || isNaN(data74)){
const err200 = {instancePath:instancePath+"/readiness/claims/" + i7+"/weight",schemaPath:"#/properties/readiness/properties/claims/items/properties/weight/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100},message:"must be <= 100",schema:100,parentSchema:schema31.properties.readiness.properties.claims.items.properties.weight,data:data74};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
if(data74 < 0 || isNaN(data74)){
const err201 = {instancePath:instancePath+"/readiness/claims/" + i7+"/weight",schemaPath:"#/properties/readiness/properties/claims/items/properties/weight/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0",schema:0,parentSchema:schema31.properties.readiness.properties.claims.items.properties.weight,data:data74};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
}
if(data68.description !== undefined && func0.call(data68, "description")){
let data75 = data68.description;
if(typeof data75 === "string"){
if(func69(data75) < 1){
const err202 = {instancePath:instancePath+"/readiness/claims/" + i7+"/description",schemaPath:"#/properties/readiness/properties/claims/items/properties/description/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters",schema:1,parentSchema:schema31.properties.readiness.properties.claims.items.properties.description,data:data75};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
}
else {
const err203 = {instancePath:instancePath+"/readiness/claims/" + i7+"/description",schemaPath:"#/properties/readiness/properties/claims/items/properties/description/type",keyword:"type",params:{type: "string"},message:"must be string",schema:schema31.properties.readiness.properties.claims.items.properties.description.type,parentSchema:schema31.properties.readiness.properties.claims.items.properties.description,data:data75};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
}
}
else {
const err204 = {instancePath:instancePath+"/readiness/claims/" + i7,schemaPath:"#/properties/readiness/properties/claims/items/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.readiness.properties.claims.items.type,parentSchema:schema31.properties.readiness.properties.claims.items,data:data68};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
}
}
else {
const err205 = {instancePath:instancePath+"/readiness/claims",schemaPath:"#/properties/readiness/properties/claims/type",keyword:"type",params:{type: "array"},message:"must be array",schema:schema31.properties.readiness.properties.claims.type,parentSchema:schema31.properties.readiness.properties.claims,data:data67};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
}
else {
const err206 = {instancePath:instancePath+"/readiness",schemaPath:"#/properties/readiness/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.readiness.type,parentSchema:schema31.properties.readiness,data:data57};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
if(data.metadata !== undefined && func0.call(data, "metadata")){
let data76 = data.metadata;
if(!(data76 && typeof data76 == "object" && !Array.isArray(data76))){
const err207 = {instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.metadata.type,parentSchema:schema31.properties.metadata,data:data76};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
if(data.extensions !== undefined && func0.call(data, "extensions")){
let data77 = data.extensions;
if(!(data77 && typeof data77 == "object" && !Array.isArray(data77))){
const err208 = {instancePath:instancePath+"/extensions",schemaPath:"#/properties/extensions/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.properties.extensions.type,parentSchema:schema31.properties.extensions,data:data77};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
}
}
else {
const err209 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object",schema:schema31.type,parentSchema:schema31,data};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
